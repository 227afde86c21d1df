#!/bin/sh
# Makes Dana of the Harbor Museum and Sam of the Lumen Studio on a server with the embedded default, and prints the
# variables of the collection. Run it once for each data directory.
set -eu
countersign=${COUNTERSIGN:-npm run -s countersign --}

made=$($countersign admin run <<'END'
create-person --name "Dana Okafor" --subject hurl-dana
create-person --name "Sam Lindqvist" --subject hurl-sam
create-organization --name "Harbor Museum"
create-organization --name "Lumen Studio"
END
) || { printf '%s\n' "$made" >&2; exit 1; }
id() { printf '%s\n' "$made" | sed -n "s/.*\"\($1_[0-9a-f-]*\)\".*/\1/p" | sed -n "$2p"; }

$countersign admin run >&2 <<END
create-membership --person $(id person 1) --organization $(id organization 1) --authority DELEGATE \
  --authority AGREEMENT_CREATE --authority PROPOSAL_MANAGE --authority RESULT_DRAFT_CREATE --authority DELIVERY_REVIEW \
  --authority COMPLETION_CONFIRM --authority RECORD_ISSUE
create-membership --person $(id person 2) --organization $(id organization 2) --authority DELEGATE \
  --authority TERMS_RESPOND --authority PROPOSAL_MANAGE --authority RESULT_DRAFT_CREATE --authority MATERIALS_SUBMIT
grant-credits --organization $(id organization 1) --credits 1000 --reference "Hurl collection"
END

password() { node -p 'crypto.randomBytes(18).toString("base64url")'; }
dana=$(password) sam=$(password)
printf %s "$dana" | $countersign admin set-password --subject hurl-dana --name "Dana Okafor" >&2
printf %s "$sam" | $countersign admin set-password --subject hurl-sam --name "Sam Lindqvist" >&2

cat <<END
origin=${ORIGIN:-http://127.0.0.1:8080}
dana_password=$dana
sam_password=$sam
in_a_week=$(node -p 'new Date(Date.now() + 7 * 864e5).toISOString()')
END
