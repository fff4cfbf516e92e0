import { requestUrls, type SubmittedJob } from '@media-jobs/core/api';
import type { JobBody } from './build-request.ts';

/** Replaces URLs and paths of a request, those of its inputs and of its parameters. Undefined keeps one. */
export function replaceUrls(body: JobBody, replacement: (url: string) => string | undefined): void {
  for (const { url, path } of requestUrls(body as SubmittedJob)) {
    const replaced = replacement(url);
    if (replaced !== undefined) setField(body, path.split('.'), replaced);
  }
}

type Tree = { [key: string]: Tree | string };

function setField(request: object, path: readonly string[], value: string): void {
  const parent = path.slice(0, -1).reduce((node, key) => node[key] as Tree, request as Tree);
  parent[path.at(-1) ?? ''] = value;
}
