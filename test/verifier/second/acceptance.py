"""The agreement's criteria and version, the submissions, the reviews and the acceptance, up to `review-event`."""

from faults import check, demand
from jcs import digest


def check_criteria(criteria):
    """`agreement-criteria`: the agreement has criteria with unique ids. Returns the ids."""
    with check("agreement-criteria"):
        ids = [criterion["id"] for criterion in criteria]
        demand(ids and len(set(ids)) == len(ids), "CRITERIA_NOT_UNIQUE")
    return ids


def check_version(agreement):
    """`agreement-version`: the first version has no predecessor; that of a later one is another project."""
    previous = agreement["previous"]
    with check("agreement-version"):
        demand((agreement["version"] == 1) == (previous is None), "AGREEMENT_MISMATCH")
        demand(previous is None or previous["projectId"] != agreement["projectId"], "AGREEMENT_MISMATCH")


def check_submissions(events):
    """`submission-chain`: each SUBMIT and each REVIEW names its predecessors, and has an id of its own."""
    submission, review = None, None
    submission_ids, review_ids = set(), set()
    for event in events:
        kind, payload = event.payload["kind"], event.payload["payload"]
        with check("submission-chain"):
            if kind == "SUBMIT":
                previous = submission and submission["submissionId"]
                demand(payload["previousSubmissionId"] == previous, "SUBMISSION_MISMATCH")
                demand(payload["respondsToReviewId"] == (review and review["reviewId"]), "SUBMISSION_MISMATCH")
                demand(payload["submissionId"] not in submission_ids, "SUBMISSION_MISMATCH")
                submission_ids.add(payload["submissionId"])
                submission = payload
            if kind == "REVIEW":
                demand(submission and payload["submissionId"] == submission["submissionId"], "SUBMISSION_MISMATCH")
                demand(payload["submissionDigest"] == digest(submission), "DIGEST_MISMATCH")
                demand(payload["reviewId"] not in review_ids, "REVIEW_MISMATCH")
                review_ids.add(payload["reviewId"])
                review = payload


def check_submission_event(events, submission, review):
    """`submission-event`: the enclosed submission is that of the last SUBMIT, and the enclosed review names it."""
    with check("submission-event"):
        submitted = [event.payload["payload"] for event in events if event.payload["kind"] == "SUBMIT"]
        demand(submitted, "SUBMISSION_MISMATCH")
        demand(digest(submitted[-1]) == digest(submission), "DIGEST_MISMATCH")
        demand(review["submissionId"] == submission["submissionId"], "SUBMISSION_MISMATCH")
        demand(review["submissionDigest"] == digest(submission), "DIGEST_MISMATCH")


def check_review_event(events, enclosed):
    """`review-event`: the enclosed review is the payload of the accepting REVIEW. Returns its index."""
    with check("review-event"):
        accepting = [at for at, event in enumerate(events) if accepts(event)]
        demand(len(accepting) == 1, "REVIEW_MISMATCH")
        demand(digest(events[accepting[0]].payload["payload"]) == digest(enclosed), "DIGEST_MISMATCH")
    return accepting[0]


def accepts(event):
    """Whether this is an accepting review."""
    return event.payload["kind"] == "REVIEW" and event.payload["payload"]["action"] == "ACCEPT"


def check_acceptance(criteria, submission, review):
    """`acceptance-criteria` and `acceptance-files`, of the enclosed objects."""
    with check("acceptance-criteria"):
        for list_name in (submission["items"], review["decisions"]):
            demand(sorted(entry["criterionId"] for entry in list_name) == sorted(criteria), "CRITERIA_INCOMPLETE")
        demand(all(decision["decision"] == "MET" for decision in review["decisions"]), "CRITERIA_INCOMPLETE")
    with check("acceptance-files"):
        submitted = [triple(item["criterionId"], file) for item in submission["items"] for file in item["files"]]
        checked = [triple(file["criterionId"], file) for file in review["checkedFiles"]]
        demand(len(set(submitted)) == len(submitted), "CHECKED_FILES_MISMATCH")
        demand(sorted(submitted) == sorted(checked), "CHECKED_FILES_MISMATCH")


def triple(criterion_id, file):
    """The key by which checked files are compared."""
    return criterion_id, file["name"], file["sha256"]
