#!/bin/sh
# Regenerates the certificates of this folder. The authority's key is deleted with the temporary folder.
set -e
here=$(cd "$(dirname "$0")" && pwd)
cd "$(mktemp -d)"
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key.pem"; }
key authority
key receiver
openssl req -x509 -new -key authority.key.pem -subj "/CN=Webhook test authority" -days 36500 \
  -addext "keyUsage=critical,keyCertSign,cRLSign" -out authority.pem
cat > authority.cnf <<'EOF'
[ca]
default_ca=authority
[authority]
database=index.txt
serial=serial
new_certs_dir=.
default_md=sha256
unique_subject=no
policy=policy
[policy]
commonName=supplied
EOF
: > index.txt
echo 02 > serial
certify() { # file, host, from, until
  openssl req -new -key receiver.key.pem -subj "/CN=$2" -out request.pem
  printf 'subjectAltName=DNS:%s\nextendedKeyUsage=serverAuth\nbasicConstraints=critical,CA:false\n' "$2" > extensions
  openssl ca -batch -notext -config authority.cnf -cert authority.pem -keyfile authority.key.pem \
    -in request.pem -out "$1.pem" -startdate "$3" -enddate "$4" -extfile extensions
}
certify receiver receiver.example.com 20250101000000Z 21240101000000Z
certify expired receiver.example.com 20200101000000Z 20210101000000Z
certify elsewhere elsewhere.example.com 20250101000000Z 21240101000000Z
certify wildcard "*.example.com" 20250101000000Z 21240101000000Z
openssl req -x509 -new -key receiver.key.pem -subj "/CN=receiver.example.com" -days 36500 \
  -addext "subjectAltName=DNS:receiver.example.com" -out self-signed.pem
cp authority.pem receiver.pem expired.pem elsewhere.pem wildcard.pem self-signed.pem receiver.key.pem "$here"
