import type { Encoder } from '../../core/media/ffmpeg/ports.ts';
import type { RemoteSource } from './remote-source.ts';

/** An encoder whose commands read this path from the proxy. */
export function readingRemotely(encoder: Encoder, { path }: Pick<RemoteSource, 'path'>): Encoder {
  const locate = <Input extends { path: string }>(input: Input) =>
    input.path === path ? { ...input, isRemote: true } : input;
  return {
    ...encoder,
    run: (command, options) => encoder.run({ ...command, inputs: command.inputs.map(locate) }, options),
    compare: ({ encoded, source, ...comparison }, options) =>
      encoder.compare(
        {
          ...comparison,
          encoded: { ...encoded, input: locate(encoded.input) },
          source: { ...source, input: locate(source.input) },
        },
        options,
      ),
  };
}
