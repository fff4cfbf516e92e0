import { Box, Text } from '@mantine/core';
import { formatDollars, formatDuration } from '@media-jobs/cli/formatting';
import type { OperationResult } from '@media-jobs/client';
import { labelFromCode } from '../format/labels.ts';
import tableClasses from '../ui/parts-table.module.css';
import { Section } from '../ui/section.tsx';
import { Note, UntrustedLine } from '../ui/text.tsx';
import type { Draft } from './draft.ts';
import type { KnownSource } from './original-media.ts';
import type { EstimatedSource } from './source-media.ts';
import { useEstimate } from './use-estimate.ts';

type JobEstimate = OperationResult<'estimateJob'>;

/** Expected time and price of the draft. Screen readers announce each new estimate when they are idle. */
export function Estimate({ draft, ...options }: { draft: Draft; isReady: boolean; known: KnownSource | undefined }) {
  const { estimate, isOutdated, problem, source, hasAudio } = useEstimate(draft, options);
  const { isReady } = options;
  const unestimated = hasAudio ? 'There is no estimate for audio files.' : (problem ?? 'Estimating…');
  return (
    <Section title="Estimate">
      <Box role="status" aria-busy={isOutdated} mih={44} opacity={isOutdated ? 0.6 : 1}>
        {estimate === undefined ? (
          <UntrustedLine c="dimmed">
            {isReady ? unestimated : 'Time and price appear here once the form is complete.'}
          </UntrustedLine>
        ) : (
          <Summary estimate={estimate} maxCostUsd={draft.maxCostUsd} />
        )}
      </Box>
      {estimate === undefined ? null : <Parts estimate={estimate} />}
      {isReady && !hasAudio ? <Assumptions source={source} inputCount={draft.sources.length} /> : null}
    </Section>
  );
}

type SummaryProps = { estimate: JobEstimate; maxCostUsd: number | undefined };

function Summary({ estimate: { seconds, usd }, maxCostUsd }: SummaryProps) {
  return (
    <>
      <Text fz={18} fw={650} mb={2} className="numbers">
        {formatDuration(seconds.p50)} · {formatDollars(usd.p50)}
      </Text>
      <Note>
        Nine of ten such jobs stay below {formatDuration(seconds.p90)} and {formatDollars(usd.p90)}.
      </Note>
      {maxCostUsd === undefined || usd.p90 <= maxCostUsd ? null : (
        <Text size="sm" fw={600}>
          Above the maximum cost: such a job is rejected.
        </Text>
      )}
    </>
  );
}

function Parts({ estimate: { seconds, usd, parts, chunks, worker } }: { estimate: JobEstimate }) {
  const pass = worker === 'task' ? 'Time in a Fargate task' : 'Time in a single pass';
  const time = chunks === 1 ? pass : `Time in ${chunks} chunks`;
  const rows = [
    [time, formatDuration(seconds.p50), formatDuration(seconds.p90)],
    ['Price', formatDollars(usd.p50), formatDollars(usd.p90)],
    ...parts
      .toSorted((one, other) => other.usd - one.usd)
      .map((part) => [labelFromCode(part.name), formatDollars(part.usd)]),
  ];
  return (
    <Box component="details" mt={8} fz={13}>
      <summary>By part</summary>
      <table className={tableClasses.parts} aria-label="Estimate by part">
        <thead>
          <tr>
            <td />
            <th scope="col">Usual</th>
            <th scope="col">9 of 10 below</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, usual, high]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{usual}</td>
              <td>{high}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}

function Assumptions({ source, inputCount }: { source: EstimatedSource; inputCount: number }) {
  const { known, assumed } = source;
  const subject = inputCount === 1 ? 'the source' : 'each source';
  const origin = inputCount === 1 ? 'From the file' : 'From the files, on average';
  return (
    <Note size="xs" mt="sm">
      {known.length === 0
        ? `Nothing is known of ${subject} until the job reads it.`
        : `${origin}: ${known.join(', ')}.`}
      {assumed.length === 0 ? '' : ` Assumed: ${assumed.join(', ')}.`}
    </Note>
  );
}
