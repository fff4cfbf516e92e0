import type { Graph, JobScript } from './job-script.ts';

type Made = { recipe: object; format: string };

/** The outputs of each graph, all made by the same recipe. */
const graphs = {
  /** Two outputs of the input, and one of the first of them. */
  tree: (made: Made) => ({ first: made, other: made, last: { from: 'first', ...made } }),
  /** One behind the other; the job delivers the first and the last. */
  chain: (made: Made) => ({
    first: made,
    between: { from: 'first', deliver: false, ...made },
    last: { from: 'between', ...made },
  }),
  /** Two of three may fail, one of them with the other. */
  optional: (made: Made) => ({
    spare: { optional: true, ...made },
    first: made,
    behind: { from: 'spare', optional: true, ...made },
  }),
  /** No video is so large. */
  conditional: (made: Made) => ({
    large: { when: { minHeight: 4_000 }, ...made },
    first: { when: { minSeconds: 1 }, ...made },
    behind: { from: 'large', ...made },
  }),
} satisfies Record<Graph, (made: Made) => object>;

/** What a script asks for: one output, a pipeline, or a graph. */
export function workOf({ isEncrypted, isPipeline, graph, bitrate }: Work) {
  if (isEncrypted) return { mode: 'recipe', ...encryptedStream };
  const [output, recipe] = [{ format: 'mp4' }, videoRecipe(bitrate)];
  if (graph !== undefined) return { mode: 'outputs', outputs: graphs[graph]({ recipe, ...output }) };
  if (isPipeline) return { mode: 'pipeline', output, steps: [{ name: 'first', recipe }, { recipe }] };
  return { mode: 'recipe', output, recipe };
}

type Work = Pick<JobScript, 'isEncrypted' | 'isPipeline' | 'graph' | 'bitrate'>;

/** The content key of the encrypted streams. */
export const contentKeyInClear = '0123456789abcdeffedcba9876543211';

const encryptedStream = {
  output: { format: 'm3u8' },
  recipe: {
    name: 'hls',
    encryption: { scheme: 'aes-128', key: contentKeyInClear, keyUri: 'https://keys.example/film' },
  },
};

function videoRecipe(bitrate: number | undefined) {
  return bitrate === undefined ? { name: 'compress', crf: 28 } : { name: 'transcode', bitrate };
}
