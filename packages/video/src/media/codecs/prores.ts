/** The profiles of ProRes, from small to large, and their numbers. All have 10 bits or more; `4444` has transparency. */
const profileNumbers = { proxy: 0, lt: 1, standard: 2, hq: 3, '4444': 4 } as const;

export type ProResProfile = keyof typeof profileNumbers;

export const proResProfiles = Object.keys(profileNumbers) as [ProResProfile, ...ProResProfile[]];

/** Arguments that encode ProRes, and the pixel format that the filters keep the chroma in. */
export function proResArguments(
  profile: ProResProfile,
  { isTransparent }: { isTransparent: boolean },
): { pixelFormat: string; codec: string[] } {
  const opaque = profile === '4444' ? 'yuv444p10le' : 'yuv422p10le';
  const pixelFormat = isTransparent ? 'yuva444p10le' : opaque;
  const alpha = isTransparent ? ['-alpha_bits', '16'] : [];
  const profileNumber = String(profileNumbers[profile]);
  // Editing programs treat the files of unknown vendors as foreign.
  const encoder = ['-c:v', 'prores_ks', '-profile:v', profileNumber, '-vendor', 'apl0'];
  return { pixelFormat, codec: [...encoder, ...alpha, '-pix_fmt', pixelFormat] };
}
