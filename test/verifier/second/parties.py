"""The actors, 3.2: `history-parties`, event by event."""

from faults import check, demand

NEVER_BY_AGENT = (
    "INVITATION_ACCEPTED",
    "SIGN",
    "LIFT_HOLD",
    "RESOLVE_CONCERN",
    "WITHDRAW_CONFIRMATION",
    "CHANGE_REPRESENTATIVE",
)
BY_BUYER = ("CREATE", "REVIEW", "ISSUE", "WITHDRAW_CONFIRMATION")
BY_SUPPLIER = ("INVITATION_ACCEPTED", "RESPOND", "SUBMIT", "CHANGE_REPRESENTATIVE")
OTHER_SIDE = {"BUYER": "SUPPLIER", "SUPPLIER": "BUYER"}


def check_parties(events, agreement):
    """Checks the actor of every event. Returns the representative before each event, and after the last."""
    parties = Parties(agreement)
    representatives = []
    for event in events:
        representatives.append(parties.representative)
        with check("history-parties"):
            parties.act(event.payload)
    with check("history-parties"):
        demand(parties.agreed, "PARTY_MISMATCH")
    return [*representatives, parties.representative]


class Parties:
    """The parties as of the events so far."""

    def __init__(self, agreement):
        self.buyer = agreement["buyer"]
        self.signing = agreement["terms"].get("signing")
        self.revises = agreement["previous"] is not None
        self.invites = agreement["supplier"]["actorId"] is None
        self.representative = agreement["supplier"]["actorId"]
        self.organization = None
        self.acted = {"BUYER": {self.buyer["actorId"]}, "SUPPLIER": set()}
        self.agreed = False
        self.concern_by = None

    def act(self, event):
        """Checks the side and actor of one event, and applies its changes."""
        kind, payload, actor = event["kind"], event["payload"], event["actor"]
        side = actor["role"]
        demand(side in self.sides(kind, payload), "PARTY_MISMATCH")
        demand(actor["execution"] is None or not self.reserved_for_people(event), "PARTY_MISMATCH")
        if side == "BUYER":
            self.check_buyer(event)
        else:
            self.check_supplier(event)
        self.take_side(side, actor["id"])
        if kind == "CREATE":
            self.organization = payload.get("supplierOrganizationId")
        if "supplierActorId" in payload:
            self.take_side("SUPPLIER", self.representative)
        if kind == "RESPOND":
            self.agreed = payload["action"] == "ACCEPT"
        if kind == "CONCERN":
            self.concern_by = side

    def take_side(self, side, person):
        """Records that a person acts for or represents a side, and so for no other side."""
        demand(person not in self.acted[OTHER_SIDE[side]], "PARTY_MISMATCH")
        self.acted[side].add(person)

    def sides(self, kind, payload):
        """The sides that may cause this event."""
        if kind in BY_BUYER:
            return ("BUYER",)
        if kind in BY_SUPPLIER:
            return ("SUPPLIER",)
        if kind == "SUPERSEDE":
            return ("SUPPLIER",) if self.agreed else ("BUYER",)
        if kind == "SIGN":
            return (payload["party"],)
        if kind == "RESOLVE_CONCERN":
            return (self.concern_by,) if payload["resolution"] == "DISMISSED" else ("BUYER",)
        return ("BUYER", "SUPPLIER")

    def reserved_for_people(self, event):
        """Whether only a person may cause this event."""
        if event["kind"] == "SUPERSEDE":
            return event["actor"]["role"] == "BUYER"
        return event["kind"] in NEVER_BY_AGENT or "signature" in event["payload"]

    def check_buyer(self, event):
        """Checks the buyer's organization, and the person where only one may act."""
        kind, actor = event["kind"], event["actor"]
        demand(actor["organizationId"] == self.buyer["organizationId"], "PARTY_MISMATCH")
        if kind == "CREATE":
            demand(actor["id"] == self.buyer["actorId"], "PARTY_MISMATCH")
        if signs_here(event):
            demand(self.signing is not None and actor["id"] == self.signing["principal"], "PARTY_MISMATCH")

    def check_supplier(self, event):
        """Checks the representative, who can be invited or replaced, and the organization."""
        kind, payload, actor = event["kind"], event["payload"], event["actor"]
        if kind == "CHANGE_REPRESENTATIVE":
            self.check_change(payload)
        elif kind == "INVITATION_ACCEPTED":
            demand(self.invites and self.representative is None, "PARTY_MISMATCH")
            demand(payload["supplierActorId"] == actor["id"], "PARTY_MISMATCH")
        elif signs_here(event):
            signer = (self.signing or {}).get("counterparty", self.representative)
            demand(actor["id"] == signer, "PARTY_MISMATCH")
        else:
            demand(actor["id"] == self.representative, "PARTY_MISMATCH")
        demand(self.organization in (None, actor["organizationId"]), "PARTY_MISMATCH")
        self.organization = actor["organizationId"]
        if "supplierActorId" in payload:
            self.representative = payload["supplierActorId"]

    def check_change(self, payload):
        """Checks a change from the representative to another person who has not acted for the buyer."""
        demand(self.organization is not None or self.revises, "PARTY_MISMATCH")
        demand(payload["previousActorId"] == self.representative, "PARTY_MISMATCH")
        demand(payload["supplierActorId"] != self.representative, "PARTY_MISMATCH")
        demand(payload["supplierActorId"] not in self.acted["BUYER"], "PARTY_MISMATCH")


def signs_here(event):
    """Whether the event carries a signature given at the service."""
    return event["payload"].get("signature", {}).get("method") == "NATIVE"
