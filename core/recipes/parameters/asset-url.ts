import * as z from 'zod';
import { maxUrlCharacters } from '../../net/check-url.ts';

/** The parameter that names a file besides the inputs; `whatItIs` is the first sentence of its description. */
export function assetUrl(whatItIs: string) {
  return z
    .string()
    .min(1)
    .max(maxUrlCharacters)
    .meta({
      format: 'uri',
      description: `${whatItIs} An http or https URL, or the \`inputUrl\` of an upload.`,
    });
}
