"""The form of an authority event, 3.5."""

from forms import (
    anything,
    digest_form,
    exactly,
    identifier,
    instant,
    integer_from,
    list_of,
    mapping,
    name,
    one_of,
    or_null,
    schema,
)

CHANGES = {
    "GRANT": exactly(
        {
            "agentId": identifier("agent"),
            "organizationId": identifier("organization"),
            "subjectId": identifier("person"),
            "role": one_of("BUYER", "SUPPLIER"),
            "actions": list_of(name),
            "subjectRequirements": list_of(anything),
            "expiresAt": instant,
        }
    ),
    "LINK_PROJECT": exactly({"projectDigest": digest_form}),
    "LINK_PROPOSAL": exactly({"proposalDigest": digest_form}),
    "RENEW": exactly({"expiresAt": instant, "generation": integer_from(1)}),
    "REVOKE": exactly({}),
}
FRAME = exactly(
    {
        "schema": schema("service.authority-event/v1"),
        "issuedAt": instant,
        "grantId": identifier("grant"),
        "sequence": integer_from(1),
        "previous": or_null(digest_form),
        "occurredAt": instant,
        "kind": one_of(*CHANGES),
        "change": mapping,
    }
)


def authority_event_form(value):
    """An authority event."""
    FRAME(value)
    CHANGES[value["kind"]](value["change"])
