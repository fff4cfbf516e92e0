import { Button } from '@mantine/core';
import { inputUrls, type JobResource } from '@media-jobs/core/api';
import { useState } from 'react';
import { kindOfName, MediaView } from '../ui/media-view.tsx';
import { Section } from '../ui/section.tsx';

/** A URL at which this browser can load the one input of a job: that of a kept upload, or its own. */
export function playableInputUrl({ input, request }: JobResource): string | undefined {
  const [url = '', ...others] = inputUrls(request);
  if (others.length > 0) return undefined;
  return input?.signedUrl ?? (/^https?:/i.test(url) ? url : undefined);
}

/** The input of a job whose result is not shown over it. It is loaded on request: its host may count. */
export function InputView({ job }: { job: JobResource }) {
  const [isShown, setIsShown] = useState(false);
  const url = playableInputUrl(job);
  if (url === undefined) return null;
  const [name = ''] = inputUrls(job.request);
  const toggle = (
    <Button size="xs" variant="default" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
      {isShown ? 'Hide input' : 'Show input'}
    </Button>
  );
  return (
    <Section title="Input" actions={toggle}>
      {isShown ? (
        <MediaView
          key={name}
          signedUrl={url}
          kind={kindOfName(name)}
          label="Input"
          unplayable="This browser cannot show the input: it may not play this format, its host may forbid it, or the file is gone."
        />
      ) : null}
    </Section>
  );
}
