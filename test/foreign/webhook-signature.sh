#!/bin/sh
# Verifies one webhook with only openssl. Exit status 0: the signature is valid. Otherwise do not process the body.
#
#   webhook-signature.sh SECRET TIMESTAMP SIGNATURE < body
#
# SECRET is the text that the creation or the rotation returned. TIMESTAMP and SIGNATURE are the values of the headers
# service-timestamp and service-signature. Standard input is the body as it arrived, byte for byte.
set -eu
secret=$1 timestamp=$2 signature=$3

# Whole seconds in digits: the age is computed from them, and they are part of the signed text.
case $timestamp in '' | 0* | *[!0-9]* | ?????????????*) exit 1 ;; esac

age=$(($(date +%s) - timestamp))
[ "$age" -ge -300 ] && [ "$age" -le 300 ] || exit 1

hmac() { openssl dgst -sha256 -hmac "$1" -r | cut -d ' ' -f 1; }

expected=v1=$({ printf '%s.' "$timestamp" && cat; } | hmac "$secret")

# A comparison's duration reveals where two texts differ; comparing HMACs under a random key prevents that leak.
once=$(openssl rand -hex 32)
[ "$(printf %s "$expected" | hmac "$once")" = "$(printf %s "$signature" | hmac "$once")" ]
