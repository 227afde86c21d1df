"""A Transaction Closure, v2, and its status: sections 6 and 7 of docs/portable-records.md."""

import artifact
from commerce import verify_commerce
from commerce_status import verify_jws_beside
from faults import check, demand
from forms import (
    digest_form,
    exactly,
    false,
    identifier,
    integer_from,
    one_of,
    or_null,
    text,
    true_or_false,
)
from jcs import canonical, digest
from jws import attach, open_signed
from lineage import LINEAGE, verify_lineage
from order import verify_order
from package import verify_package
from passport import LONGEST, check_issuer, issued
from status import check_fresh, check_head, check_subject, open_status


def reference(word, **members):
    """A typed reference."""
    return exactly({"type": one_of(word), **members, "digest": digest_form})


CLOSURE = exactly(
    {
        **issued(artifact.CLOSURE),
        "profile": one_of("CUSTOM_DELIVERY_RESULT_ORDER"),
        "coverage": one_of("SINGLE_TRANSACTION_SELECTED_PAYMENT_ATTEMPT"),
        "data": exactly(
            {
                "references": exactly(
                    {
                        "agreement": reference("AGREEMENT", id=identifier("delivery"), version=integer_from(1)),
                        "delivery": reference("SUBMISSION", id=identifier("submission")),
                        "review": reference("REVIEW", id=identifier("review")),
                        "result": reference("RESULT_RECORD", id=identifier("record")),
                        "resultPackage": reference("RESULT_PACKAGE", id=identifier("delivery")),
                        "resultOrder": reference("RESULT_ORDER", id=identifier("order")),
                        "commerce": reference("COMMERCE_RECORD", id=identifier("commerce")),
                        "paymentSource": reference("PAYMENT_SOURCE"),
                    }
                ),
                "artifacts": exactly({"resultPackage": text, "resultOrder": text, "commerceRecord": text}),
                "assurance": exactly(
                    {
                        "level": one_of("LIMITED"),
                        "delivery": one_of("BUYER_ACCEPTANCE_RECORDED"),
                        "payment": or_null(one_of("PROVIDER_VERIFIED_PAYMENT", "PAYMENT_NOT_CONFIRMED")),
                        "refundedMinor": integer_from(0),
                        "reversedMinor": integer_from(0),
                        "disputed": true_or_false,
                        "attestation": one_of("SERVICE_ATTESTATION_OF_PROVIDER_READBACK"),
                        "bankReceiptVerified": false,
                        "laterEvents": one_of("NOT_ASSERTED"),
                    }
                ),
            }
        ),
    },
    {"lineage": LINEAGE},
)


def verify_closure(file, reader):
    """Raises the first failure of a closure. Returns its package and its Commerce Record."""
    with check("closure-signature"):
        jws = attach(file["signature"], canonical(file["body"]))
        closure = open_signed(jws, artifact.CLOSURE, "CLOSURE", reader.trust, reader.checked_at).payload
    with check("closure-form"):
        CLOSURE(closure)
    check_issuer("closure-issuer", closure, reader.trust)
    artifacts = closure["data"]["artifacts"]
    package = verify_package(artifacts["resultPackage"], artifact.PACKAGE_V2, reader)
    order = verify_order(artifacts["resultOrder"], reader)
    payment = verify_commerce(artifacts["commerceRecord"], reader)
    check_references(closure["data"]["references"], package, order, payment)
    check_delivery(package, order.payload["terms"], payment.payload["binding"])
    check_payment(package, order.payload, payment.payload["binding"])
    with check("closure-times"):
        check_times(closure, package, order.payload, payment.payload)
    with check("closure-assurance"):
        stated = closure["data"]["assurance"]
        for member, value in assurance(payment.payload).items():
            demand(stated[member] == value, "ASSURANCE_MISMATCH")
    if "lineage" in closure:
        verify_lineage(closure["lineage"], closure, package, supplier_organization(package.events), reader)
    return package, payment


def check_references(references, package, order, payment):
    """`closure-references`: exactly the enclosed objects."""
    content = package.signed.payload
    project = content["agreement"]["projectId"]
    expected = {
        "agreement": (project, digest(content["agreement"])),
        "delivery": (content["submission"]["submissionId"], digest(content["submission"])),
        "review": (content["review"]["reviewId"], digest(content["review"])),
        "result": (package.record.payload["recordId"], package.record.digest),
        "resultPackage": (project, package.signed.digest),
        "resultOrder": (order.payload["resultOrderId"], order.digest),
        "commerce": (payment.payload["binding"]["commerceOrderId"], payment.digest),
    }
    with check("closure-references"):
        for role, pair in expected.items():
            demand((references[role]["id"], references[role]["digest"]) == pair, "REFERENCE_MISMATCH")
        demand(references["agreement"]["version"] == content["agreement"]["version"], "REFERENCE_MISMATCH")
        demand(references["paymentSource"]["digest"] == order.payload["acceptedSourceDigest"], "REFERENCE_MISMATCH")


def check_delivery(package, terms, binding):
    """The bindings between the package and the terms of the order, and the parties of the payment."""
    content = package.signed.payload
    agreement, submission, review = content["agreement"], content["submission"], content["review"]
    with check("closure-agreement"):
        demand(terms["projectId"] == agreement["projectId"], "AGREEMENT_MISMATCH")
        stated = {"digest": digest(agreement), "version": agreement["version"]}
        demand(terms["agreement"] == stated, "AGREEMENT_MISMATCH")
    with check("closure-parties"):
        buyer, supplier = agreement["buyer"]["organizationId"], supplier_organization(package.events)
        names = agreement["terms"]
        demand(terms["buyer"] == {"organizationId": buyer, "name": names["buyerName"]}, "PARTY_MISMATCH")
        demand(terms["supplier"] == {"organizationId": supplier, "name": names["supplierName"]}, "PARTY_MISMATCH")
        demand((binding["buyerScope"], binding["recipientScope"]) == (buyer, supplier), "PARTY_MISMATCH")
    with check("closure-delivery"):
        stated = {"id": submission["submissionId"], "digest": digest(submission)}
        demand(terms["submission"] == stated, "SUBMISSION_MISMATCH")
    with check("closure-review"):
        demand(terms["review"] == {"id": review["reviewId"], "digest": digest(review)}, "REVIEW_MISMATCH")
        demand(terms["confirmation"]["id"] == review["confirmationId"], "REVIEW_MISMATCH")
    with check("closure-result"):
        stated = {"id": package.record.payload["recordId"], "digest": package.record.digest}
        demand(terms["record"] == stated, "RESULT_MISMATCH")
    with check("closure-package"):
        demand(terms["packageDigest"] == package.signed.digest, "PACKAGE_MISMATCH")


def supplier_organization(events):
    """The organization for which the supplier's people acted: one, as `history-parties` has established."""
    return [event.payload["actor"] for event in events if event.payload["actor"]["role"] == "SUPPLIER"][0][
        "organizationId"
    ]


def check_payment(package, order, binding):
    """The bindings between the Result Order record and the payment, and the item of both."""
    terms = order["terms"]
    with check("closure-attempt"):
        for member in ("commerceOrderId", "resultOrderId", "acceptedSourceDigest"):
            demand(order[member] == binding[member], "ATTEMPT_MISMATCH")
    with check("closure-item"):
        item = {"type": "RESULT_RECORD", "id": package.record.payload["recordId"], "digest": package.record.digest}
        demand(terms["item"] == item and binding["item"] == item, "ITEM_MISMATCH")
    with check("closure-account"):
        demand(terms["provider"] == binding["provider"], "ACCOUNT_MISMATCH")
        demand(terms["recipientAccount"] == binding["recipientAccount"], "ACCOUNT_MISMATCH")
    with check("closure-environment"):
        demand(terms["environment"] == binding["environment"], "PAYMENT_ENVIRONMENT_MISMATCH")
    with check("closure-currency"):
        demand(terms["currency"] == binding["currency"], "CURRENCY_MISMATCH")
    with check("closure-amount"):
        demand(terms["amountMinor"] == binding["amountMinor"], "AMOUNT_MISMATCH")


def check_times(closure, package, order, payment):
    """Package, offer, Result Order record, first observation; both records, closure."""
    events = order["financialEvents"]
    demand(package.signed.payload["issuedAt"] <= events[0]["occurredAt"], "JOURNAL_TIME")
    demand(events[-1]["occurredAt"] <= order["issuedAt"], "JOURNAL_TIME")
    first = payment["firstCapturedAt"]
    demand(first is None or order["issuedAt"] <= first, "JOURNAL_TIME")
    demand(payment["issuedAt"] <= closure["issuedAt"], "JOURNAL_TIME")
    demand(order["issuedAt"] <= closure["issuedAt"], "JOURNAL_TIME")


def assurance(payment):
    """The members of the assurance that follow from the journal."""
    latest, deciding = {}, None
    for entry, label in zip(payment["journal"]["entries"], payment["labels"], strict=True):
        latest[(entry["component"], entry["entity"])] = (entry, label)
        if entry["component"] == "PAYMENT":
            deciding = ("PAYMENT", label)
        elif entry["component"] == "CHECKOUT" and (deciding is None or deciding[0] == "CHECKOUT"):
            deciding = ("CHECKOUT", label)
    labelled = [(entry["component"], entry["facts"]) for entry, label in latest.values() if label is not None]
    return {
        "payment": deciding[1] if deciding else None,
        "refundedMinor": sum(facts["amountMinor"] for component, facts in labelled if component == "REFUND"),
        "reversedMinor": sum(facts["amountReversedMinor"] for component, facts in labelled if component == "TRANSFER"),
        "disputed": any(component == "DISPUTE" for component, _facts in labelled),
    }


TRANSACTION_STATUS = exactly({"result": text, "commerce": text})


def check_statuses(package, payment, status_file, reader):
    """The status of the result, then that of the payment; none without a file."""
    if status_file is None:
        return
    with check("status-signature"):
        value, alone = artifact.read_document(status_file, LONGEST)
        demand(not alone and isinstance(value, dict) and not {"result", "commerce"}.isdisjoint(value), "STATUS_KIND")
        TRANSACTION_STATUS(value)
    status = open_status(value["result"], reader.trust, reader.checked_at)
    check_subject(status, package.record)
    check_head(status, package.history, enclosed=False)
    check_fresh(status, reader.checked_at)
    verify_jws_beside(payment, value["commerce"], reader)
