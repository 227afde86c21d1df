#!/bin/sh
# Checks one callback with nothing but openssl. Exit status 0: it is genuine. Anything else: do not look at the body.
#
#   callback-signature.sh SECRET TIMESTAMP SIGNATURE < body
#
# SECRET is what the creation or the rotation returned, as it is. TIMESTAMP and SIGNATURE are the values of the headers
# service-timestamp and service-signature. Standard input is the body as it arrived, byte for byte.
set -eu
secret=$1 timestamp=$2 signature=$3

# Whole seconds in digits: what follows computes with them, and signs them.
case $timestamp in '' | 0* | *[!0-9]* | ?????????????*) exit 1 ;; esac

age=$(($(date +%s) - timestamp))
[ "$age" -ge -300 ] && [ "$age" -le 300 ] || exit 1

hmac() { openssl dgst -sha256 -hmac "$1" -r | cut -d ' ' -f 1; }

expected=v1=$({ printf '%s.' "$timestamp" && cat; } | hmac "$secret")

# How long a comparison takes tells where two texts part. Under a key that nobody knows, that tells nothing.
once=$(openssl rand -hex 32)
[ "$(printf %s "$expected" | hmac "$once")" = "$(printf %s "$signature" | hmac "$once")" ]
