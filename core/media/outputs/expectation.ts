import type { Size } from '../frame-size.ts';

/** What the plan promises of an output; `verify` compares the finished file with it. */
export type OutputExpectation = {
  /** A playlist, or another text that names files beside it: it is read, not probed. */
  referencesFiles?: true;
  /** Seconds; left out for still pictures. */
  durationSeconds?: number;
  /** Whether it may have no length: an animation in which nothing moves is written as a still picture. */
  mayBeStillImage?: boolean;
  /** ffmpeg's codec name and the exact size; left out where no picture is expected. */
  video?: Size & { codec: string };
  /** Left out where no sound is expected. */
  audio?: { codec: string };
  /** At least one cue, and none that ends long after this moment; left out where no subtitles are expected. */
  subtitles?: { codec: string; latestEndSeconds?: number };
};
