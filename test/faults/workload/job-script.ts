import type { InputKind } from '../simulation/media-origin.ts';

/** Something a client does after its job was accepted, so many milliseconds later. */
export type Step = {
  afterMs: number;
  what: 'repeat' | 'cancel' | 'delete' | 'retry' | 'redeliver' | 'recover' | 'list';
};

/** One job as a client wants it, and what the client does about it. */
export type JobScript = {
  ownerId: string;
  /** When the job is submitted, in milliseconds from the beginning. */
  atMs: number;
  /** With an idempotency key the client repeats a request that failed; without one it gives up. */
  hasIdempotencyKey: boolean;
  /** What it is; one that is long enough to be cut is asked to be encoded fast. */
  input: InputKind;
  /** Whether it was uploaded before, rather than lies somewhere in the web. */
  isUploaded: boolean;
  /** How long it takes to encode it in one piece. */
  encodeMs: number;
  /** How the receiver behaves; `default`: the job names none; `none`: and neither do the owner's settings. */
  receiver: 'willing' | 'hesitant' | 'unwilling' | 'default';
  steps: readonly Step[];
};

/** An ordinary script: one job that will be completed, to a receiver that takes its webhook. */
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
