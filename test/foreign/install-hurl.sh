#!/usr/bin/env bash
# Installs Hurl into /opt/hurl, with a wrapper at /usr/local/bin/hurl. Debian 12 has no package of it, and the one of a
# later Debian needs the libc of that release: so apt resolves it from that suite alone, into a folder with its own
# libc, and leaves the packages of the system as they are.
set -euo pipefail
prefix=/opt/hurl
suite=forky

if [ ! -x "$prefix/usr/bin/hurl" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work"/{state/lists/partial,cache/archives/partial}
  touch "$work/status"
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  echo "deb [signed-by=$keyring] http://deb.debian.org/debian $suite main" >"$work/sources.list"
  options=(
    -o "Dir::State=$work/state" -o "Dir::State::status=$work/status" -o "Dir::Cache=$work/cache"
    -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null
    -o Acquire::Languages=none
  )
  apt-get -q "${options[@]}" update
  apt-get -qy "${options[@]}" --no-install-recommends --download-only install hurl
  mkdir -p "$prefix"
  for package in "$work"/cache/archives/*.deb; do dpkg-deb -x "$package" "$prefix"; done
fi

loader=$(ls "$prefix"/usr/lib/*/ld-linux-*.so.*)
cat >/usr/local/bin/hurl <<WRAPPER
#!/bin/sh
exec $loader --library-path ${loader%/*} $prefix/usr/bin/hurl "\$@"
WRAPPER
chmod +x /usr/local/bin/hurl
hurl --version
