import type { InputKind } from '../world/media-origin.ts';

/** An action of a client, so many milliseconds after its job was accepted. */
export type Step = {
  afterMs: number;
  what: 'repeat' | 'cancel' | 'delete' | 'retry' | 'redeliver' | 'recover' | 'list';
};

/** How the outputs of a job read each other, and which of them it may do without. */
export const graphNames = ['tree', 'chain', 'optional', 'conditional'] as const;
export type Graph = (typeof graphNames)[number];

/** A job, and what its client does with it. */
export type JobScript = {
  ownerId: string;
  /** When the job is submitted, in milliseconds from the start. */
  atMs: number;
  /** With an idempotency key the client retries a failed request; without one it gives up. */
  hasIdempotencyKey: boolean;
  /** The kind of input; a job with a chunkable one requests speed, unless it is patient. */
  input: InputKind;
  isPatient?: boolean;
  /** Whether the pool takes the job. */
  isEconomy?: true;
  /** Whether the input is an upload instead of a URL. */
  isUploaded: boolean;
  /** The time of an encoding in a single pass. */
  encodeMs: number;
  /** Dollars that the job may cost. */
  maxCostUsd?: number;
  /** Whether it is an adaptive stream with the content key `contentKeyInClear`. */
  isEncrypted?: true;
  /** Whether it is a pipeline: a named step, and another behind it. */
  isPipeline?: true;
  /** The graph of its outputs, if it has several. */
  graph?: Graph;
  /** The target bit rate in kbit/s. By default the video has a constant quality. */
  bitrate?: number;
  /** The key that submits the job may spend so many dollars in a day. By default a session submits it. */
  keyUsdPerDay?: number;
  /** The behaviour of the receiver; `default`: the job names none, so the owner's settings decide. */
  receiver: 'willing' | 'hesitant' | 'recovering' | 'unwilling' | 'hanging' | 'lagging' | 'default';
  /** The port of the receiver: each is an origin of its own. */
  receiverPort?: number;
  steps: readonly Step[];
};

/** By default a job that completes, with a receiver that accepts its webhook. */
export function aJobScript(differences: Partial<JobScript> = {}): JobScript {
  return {
    ownerId: 'owner-1',
    atMs: 0,
    hasIdempotencyKey: true,
    input: 'good',
    isUploaded: false,
    encodeMs: 3_000,
    receiver: 'willing',
    steps: [],
    ...differences,
  };
}
