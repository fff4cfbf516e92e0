import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { type FieldProps, inputWrapperOrder } from './field-props.ts';
import { asList } from './parameter-value.ts';

/** Several texts or numbers, typed with commas between them. */
export function ListField({ parameter, value, error, onChange }: FieldProps) {
  const { label, description, fallback, required } = parameter;
  const [text, setText] = useState(() => wordsOf(value));
  return (
    <TextInput
      label={label}
      description={`${description} With commas between them.`.trim()}
      error={error}
      required={required}
      inputWrapperOrder={inputWrapperOrder}
      value={text}
      placeholder={wordsOf(fallback) || 'Automatic'}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(asList(currentTarget.value, parameter));
      }}
    />
  );
}

function wordsOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : '';
}
