#!/usr/bin/env bash
# Installs Hurl into /opt/hurl, with a wrapper at /usr/local/bin/hurl. Debian 12 has no package of it, and the one of a
# later Debian needs the libc of that release: so apt resolves it from that suite alone, into a folder with its own
# libc, and leaves the packages of the system as they are. It needs root, and takes the mirror from DEBIAN_MIRROR.
set -euo pipefail
prefix=/opt/hurl
wrapper=/usr/local/bin/hurl
suite=forky
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

[ "$(id -u)" = 0 ] || { echo "install-hurl.sh writes $prefix and $wrapper: run it as root" >&2; exit 1; }
if [ -e "$wrapper" ] && ! grep -q "$prefix" "$wrapper"; then
  echo "$wrapper is another Hurl: install version 7 in its place" >&2
  exit 1
fi

if [ ! -x "$prefix/usr/bin/hurl" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work"/{state/lists/partial,cache/archives/partial}
  touch "$work/status"
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  echo "deb [signed-by=$keyring] $mirror $suite main" >"$work/sources.list"
  options=(
    -o "Dir::State=$work/state" -o "Dir::State::status=$work/status" -o "Dir::Cache=$work/cache"
    -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null
    -o Acquire::Languages=none
  )
  apt-get -q "${options[@]}" update
  apt-get -qy "${options[@]}" --no-install-recommends --download-only install hurl
  mkdir "$work/root"
  for package in "$work"/cache/archives/*.deb; do dpkg-deb -x "$package" "$work/root"; done
  # Complete, or not there.
  rm -rf "$prefix"
  mv "$work/root" "$prefix"
fi

loader=$(ls "$prefix"/usr/lib/*/ld-linux-*.so.*)
cat >"$wrapper" <<WRAPPER
#!/bin/sh
exec $loader --library-path ${loader%/*} $prefix/usr/bin/hurl "\$@"
WRAPPER
chmod +x "$wrapper"
hurl --version
