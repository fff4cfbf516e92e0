import type * as z from 'zod';
import type { Assembly } from './assembly.ts';
import { TemplateError, type TemplateLocation } from './read-resource.ts';
import type { lambdaFunction } from './resources/lambda.ts';

/** The local folder of the code, and the handler, such as `index.handler`. */
export type FunctionCode = { packageType: 'Zip' | 'Image'; directory: string; handler: string };

/** Finds the asset of a function by its key. Functions with the same code share one asset. */
export function findFunctionCode(
  location: TemplateLocation,
  { Code, Handler, ImageConfig }: z.output<typeof lambdaFunction.properties>,
  assembly: Assembly,
): FunctionCode {
  if ('ImageUri' in Code) {
    const handler = ImageConfig?.Command[0] ?? Handler;
    return {
      packageType: 'Image',
      directory: findImage(assembly, Code.ImageUri, { ...location, property: 'Code.ImageUri' }),
      handler: requireHandler(handler, { ...location, property: 'ImageConfig.Command' }),
    };
  }
  return {
    packageType: 'Zip',
    directory: findAsset(assembly.files, Code.S3Key, { ...location, property: 'Code.S3Key' }),
    handler: requireHandler(Handler, { ...location, property: 'Handler' }),
  };
}

/** The build folder of an image, by its tag. */
export function findImage({ images }: Assembly, uri: string, location: TemplateLocation): string {
  return findAsset(images, uri.slice(uri.lastIndexOf(':') + 1), location);
}

function findAsset(assets: ReadonlyMap<string, string>, key: string, location: TemplateLocation): string {
  const path = assets.get(key);
  if (path === undefined) throw new TemplateError(location, `the assembly has no asset ${key}`);
  return path;
}

function requireHandler(handler: string | undefined, location: TemplateLocation): string {
  if (handler === undefined) throw new TemplateError(location, 'the handler is missing');
  return handler;
}
