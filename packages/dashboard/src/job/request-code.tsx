import { SegmentedControl, Stack } from '@mantine/core';
import { submitCommandLine } from '@media-jobs/cli/formatting';
import type { JobResource } from '@media-jobs/core/api';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { Section } from '../ui/section.tsx';
import { curlSnippet, pythonSnippet, typeScriptSnippet, withKeyPlaceholders } from './request-snippets.ts';

type Request = JobResource['request'];

const formats = new Map<string, (request: Request, origin: string) => string>([
  ['JSON', (request: Request) => JSON.stringify(request, null, 2)],
  ['curl', curlSnippet],
  ['TypeScript', typeScriptSnippet],
  ['Python', pythonSnippet],
  ['CLI', (request: Request) => submitCommandLine(request)],
]);

type Props = { request: Request; metadata?: Record<string, string> | undefined; title?: string };

/** The request of a job as JSON, curl, TypeScript, Python or a command line. */
export function RequestCode({ request, metadata, title = 'Request' }: Props) {
  const { origin } = useApi();
  const [format, setFormat] = useState('JSON');
  const complete = { ...withKeyPlaceholders(request), ...(metadata && { metadata }) };
  const text = formats.get(format)?.(complete, origin) ?? '';
  return (
    <Section title={title} actions={<CopyTextButton text={text} what={`the request as ${format}`} />}>
      <Stack gap="sm">
        <SegmentedControl
          fullWidth
          data={[...formats.keys()]}
          value={format}
          onChange={setFormat}
          aria-label="Language"
        />
        <CodeBlock wraps label={`Request as ${format}`}>
          {text}
        </CodeBlock>
      </Stack>
    </Section>
  );
}
