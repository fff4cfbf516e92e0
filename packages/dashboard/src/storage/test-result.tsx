import { Group, Text } from '@mantine/core';
import { Circle, CircleCheck, CircleX } from 'lucide-react';
import { formatDateTime } from '../format/time.ts';
import { UntrustedText } from '../ui/error-callout.tsx';
import classes from './storage.module.css';
import { stepResults } from './test-steps.ts';
import type { StorageProvider } from './use-storage-providers.ts';

const icons = { ok: CircleCheck, failed: CircleX, 'not run': Circle };

export function TestResult({ lastTest }: Pick<StorageProvider, 'lastTest'>) {
  if (lastTest === null) {
    return (
      <Text size="sm" c="dimmed">
        Not tested since the last change.
      </Text>
    );
  }
  return (
    <>
      <ol className={classes.steps} aria-label="Steps of the test">
        {stepResults(lastTest).map(({ step, result }) => {
          const Icon = icons[result];
          return (
            <li key={step} data-result={result}>
              <Group gap={4} wrap="nowrap">
                <Icon size={14} aria-hidden />
                {step}: {result}
              </Group>
            </li>
          );
        })}
      </ol>
      <Text size="sm">
        <UntrustedText>{lastTest.message}</UntrustedText>{' '}
        <Text span c="dimmed" className="numbers">
          {formatDateTime(lastTest.at)}
        </Text>
      </Text>
    </>
  );
}
