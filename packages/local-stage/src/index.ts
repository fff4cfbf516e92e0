export { arn, region } from './aws-names.ts';
export { lockDataDirectory } from './data-lock.ts';
export type { OtherS3 } from './emulators/s3-forwarding.ts';
export { sqsEvent } from './event-sources/sqs-event.ts';
export { eventBuses } from './events.ts';
export { hiddenCause, type Log } from './log.ts';
export { type Stage, type StageOptions, startStage } from './stage.ts';
