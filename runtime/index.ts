export { ContractError, type ContractErrorKind } from './contract-error.ts';
export { contractPlugin, handOverBodiesUnread } from './contract-plugin.ts';
export { contractSchemas, type ContractSchemas } from './contract-schemas.ts';
export { errorReply, type ErrorReply } from './error-reply.ts';
export { FairOrder } from './fair-order.ts';
export { FairQueue } from './fair-queue.ts';
export { FairShare, type FairShareOptions, type GiveBack } from './fair-share.ts';
export type { Events, ServerSentEvent } from './events.ts';
export { writeHeader } from './header-value.ts';
export { exampleReplies } from './example-replies.ts';
export type { ContractOptions } from './implementations.ts';
export { itemChecker, type CheckedItem, type ItemChecker } from './items.ts';
export type { ItemStream } from './json-items.ts';
export type {
  BodyPlan,
  ErrorPlan,
  MediaPlan,
  OperationPlan,
  ParameterPlan,
  PartPlan,
  ReplyDocument,
  ReplyMedia,
  ReplyPlan,
  ResponsePlan,
  StylePlan,
} from './plan.ts';
export { Postponement } from './postponement.ts';
export type { ReplyOptions } from './reply-checks.ts';
export { resetConnection } from './reset-connection.ts';
export { decorators } from './route.ts';
export { pauseAfter } from './pause.ts';
export { postponeTurns, takeTurn, takeUrgentTurn } from './turns.ts';
export { UploadedFile } from './uploaded-file.ts';
