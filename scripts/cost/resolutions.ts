export type Resolution = { width: number; height: number };

/** The pictures that costs are told for, at 30 frames a second. */
export const resolutions = {
  '480p': { width: 854, height: 480 },
  '720p': { width: 1280, height: 720 },
  '1080p': { width: 1920, height: 1080 },
  '2160p': { width: 3840, height: 2160 },
} as const satisfies Record<string, Resolution>;

export type ResolutionName = keyof typeof resolutions;
