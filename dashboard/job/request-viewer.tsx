import { Code, SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import type { JobResource } from '../../core/api/job-resource.ts';
import { submitCommandLine } from '../../formatting/command-line.ts';
import { useApi } from '../api/api-context.tsx';
import classes from '../job-page/job-page.module.css';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { Section } from '../ui/section.tsx';
import { curlSnippet, typeScriptSnippet } from './request-snippets.ts';

type Request = JobResource['request'];

const languages = new Map([
  ['JSON', (request: Request) => JSON.stringify(request, null, 2)],
  ['curl', curlSnippet],
  ['TypeScript', typeScriptSnippet],
  ['CLI', (request: Request) => submitCommandLine(request)],
]);

type Props = {
  request: Request;
  metadata?: Record<string, string> | undefined;
  title?: string;
};

/** A job's request, in the form in which it will be used next. */
export function JobRequest({ request, metadata, title = 'Request' }: Props) {
  const { origin } = useApi();
  const [language, setLanguage] = useState('JSON');
  const whole = metadata === undefined ? request : { ...request, metadata };
  const text = languages.get(language)?.(whole, origin) ?? '';
  return (
    <Section title={title} actions={<CopyTextButton text={text} what={`the request as ${language}`} />}>
      <Stack gap="sm">
        <SegmentedControl
          size="xs"
          fullWidth
          data={[...languages.keys()]}
          value={language}
          onChange={setLanguage}
          aria-label="Language"
        />
        <Code block className={classes.request} tabIndex={0} aria-label={`The request as ${language}`}>
          {text}
        </Code>
      </Stack>
    </Section>
  );
}
