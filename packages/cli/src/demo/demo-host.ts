import type { RecipeRequest } from '@media-jobs/video/recipes';

/** What the demo needs of the machine that runs it. */
export type DemoHost = {
  /** Starts the service with a folder for its data. */
  startStage(dataDirectory: string): Promise<DemoStage>;
  /** Generates a clip with audio. */
  makeClip(path: string, seconds: number): Promise<void>;
  /** The wall seconds of ffmpeg alone, with the arguments of the job, as an MP4. */
  ffmpegSeconds(path: string, recipe: RecipeRequest): Promise<number>;
};

export type DemoStage = {
  baseUrl: string;
  apiKey: string;
  /** The secret with which the owner's webhooks are signed. */
  signingSecret: string;
  stop(): Promise<void>;
};
