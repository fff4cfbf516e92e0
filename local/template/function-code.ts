import type * as z from 'zod';
import type { Assembly } from './assembly.ts';
import type { lambdaFunction } from './resources/function.ts';
import { TemplateError, type TemplateLocation } from './template-error.ts';

/** Where a function's code lies, and which export of it to call: `index.handler`. */
export type FunctionCode = { packageType: 'Zip' | 'Image'; directory: string; handler: string };

/** Finds a function's asset by its key: functions with the same code share one asset, so a name would not do. */
export function findFunctionCode(
  place: TemplateLocation,
  { Code, Handler, ImageConfig }: z.output<typeof lambdaFunction.properties>,
  assembly: Assembly,
): FunctionCode {
  if ('ImageUri' in Code) {
    const tag = Code.ImageUri.slice(Code.ImageUri.lastIndexOf(':') + 1);
    const handler = ImageConfig?.Command[0] ?? Handler;
    return {
      packageType: 'Image',
      directory: assetAt(assembly.images, tag, { ...place, property: 'Code.ImageUri' }),
      handler: required(handler, { ...place, property: 'ImageConfig.Command' }),
    };
  }
  return {
    packageType: 'Zip',
    directory: assetAt(assembly.files, Code.S3Key, { ...place, property: 'Code.S3Key' }),
    handler: required(Handler, { ...place, property: 'Handler' }),
  };
}

function assetAt(assets: ReadonlyMap<string, string>, key: string, place: TemplateLocation): string {
  const path = assets.get(key);
  if (path === undefined) throw new TemplateError(place, `the assembly has no asset ${key}`);
  return path;
}

function required(handler: string | undefined, place: TemplateLocation): string {
  if (handler === undefined) throw new TemplateError(place, 'names no handler');
  return handler;
}
