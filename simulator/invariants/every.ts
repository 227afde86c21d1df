/** All properties, in the order of reports. */
import type { Invariant } from "./invariant.ts"
import { answeredMeansOver } from "./answered-means-over.ts"
import { limitsAreKept } from "./limits-are-kept.ts"
import { datesAreKept } from "./dates-are-kept.ts"
import { noStaleHead } from "./no-stale-head.ts"
import { oneLiveToken } from "./one-live-token.ts"
import { oneRequestOneEffect } from "./one-request-one-effect.ts"
import { renewalKeepsTheRest } from "./renewal-keeps-the-rest.ts"
import { requestIdMeansOneRequest } from "./request-id-means-one-request.ts"
import { readsWriteNothing } from "./reads-write-nothing.ts"
import { oneFinalProject } from "./one-final-project.ts"
import { noSendWithoutAuthority } from "./no-send-without-authority.ts"
import { timeNeverFalls } from "./time-never-falls.ts"
import { whatPassesIsTriedAgain } from "./what-passes-is-tried-again.ts"
import { anAcknowledgementWasAnswered } from "./an-acknowledgement-was-answered.ts"
import { attemptsAreCounted } from "./attempts-are-counted.ts"
import { callbacksVerifyFromTheFirstByte } from "./callbacks-verify-from-the-first-byte.ts"
import { creditsAreConserved } from "./credits-are-conserved.ts"
import { everyChainVerifies } from "./every-chain-verifies.ts"
import { everyDeliveryIsSomewhere } from "./every-delivery-is-somewhere.ts"
import { everyEventIsQueuedExactly } from "./every-event-is-queued-exactly.ts"
import { noPrivateAddressIsConnected } from "./no-private-address-is-connected.ts"
import { aConnectionServesOnce } from "./a-connection-serves-once.ts"
import { aNoteStopsNobody } from "./a-note-stops-nobody.ts"
import { aRequestIsAnAttempt } from "./a-request-is-an-attempt.ts"
import { aStoppedWorkerHoldsNothing } from "./a-stopped-worker-holds-nothing.ts"
import { anAttemptEndsAsItWent } from "./an-attempt-ends-as-it-went.ts"
import { whatADeadWorkerHeld } from "./what-a-dead-worker-held.ts"
import { whatWasSentVerifies } from "./what-was-sent-verifies.ts"
import { aReaderSeesEveryDeliveryOnce } from "./a-reader-sees-every-delivery-once.ts"
import { aDueDeliveryMovesOn } from "./a-due-delivery-moves-on.ts"
import { everyCallbackArrives } from "./every-callback-arrives.ts"
import { aLetterChangesNoAnswer } from "./a-letter-changes-no-answer.ts"
import { aLostSecretIsShownAgain } from "./a-lost-secret-is-shown-again.ts"
import { aRefusedSignInChangesNothing } from "./a-refused-sign-in-changes-nothing.ts"
import { aWishIsLookedAt } from "./a-wish-is-looked-at.ts"
import { documentsInForce } from "./documents-in-force.ts"
import { aDeliveryComesTwice } from "./a-delivery-comes-twice.ts"
import { aLeaseRunsOut } from "./a-lease-runs-out.ts"
import { aSendIsGivenUp } from "./a-send-is-given-up.ts"
import { aCommitGoesUnnoticed, anAnswerIsLost, aReplayIsAnswered } from "./goes-unnoticed.ts"
import { aRenewalOvertakesARequest } from "./a-renewal-overtakes-a-request.ts"
import {
  aDeadlineRefusesSomebody,
  anotherRenewalRefusesSomebody,
  aPauseRefusesSomebody,
  aStaleHeadRefusesSomebody
} from "./refuses-somebody.ts"

export const invariants: ReadonlyArray<Invariant> = [
  timeNeverFalls,
  whatPassesIsTriedAgain,
  aNoteStopsNobody,
  datesAreKept,
  answeredMeansOver,
  noStaleHead,
  oneLiveToken,
  oneRequestOneEffect,
  renewalKeepsTheRest,
  requestIdMeansOneRequest,
  noSendWithoutAuthority,
  oneFinalProject,
  limitsAreKept,
  readsWriteNothing,
  aLostSecretIsShownAgain,
  aLetterChangesNoAnswer,
  aRefusedSignInChangesNothing,
  aWishIsLookedAt,
  documentsInForce,
  anAcknowledgementWasAnswered,
  attemptsAreCounted,
  callbacksVerifyFromTheFirstByte,
  creditsAreConserved,
  everyChainVerifies,
  everyDeliveryIsSomewhere,
  everyEventIsQueuedExactly,
  noPrivateAddressIsConnected,
  aConnectionServesOnce,
  aRequestIsAnAttempt,
  anAttemptEndsAsItWent,
  whatWasSentVerifies,
  aStoppedWorkerHoldsNothing,
  whatADeadWorkerHeld,
  aReaderSeesEveryDeliveryOnce,
  aDueDeliveryMovesOn,
  everyCallbackArrives,
  aDeliveryComesTwice,
  aLeaseRunsOut,
  aSendIsGivenUp,
  aCommitGoesUnnoticed,
  anAnswerIsLost,
  aReplayIsAnswered,
  aRenewalOvertakesARequest,
  aDeadlineRefusesSomebody,
  anotherRenewalRefusesSomebody,
  aPauseRefusesSomebody,
  aStaleHeadRefusesSomebody
]
