import { UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Moon, Sun } from 'lucide-react';
import classes from './app-layout.module.css';

/** Switches between the light and dark colour scheme. */
export function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const other = scheme === 'dark' ? 'light' : 'dark';
  const Icon = other === 'dark' ? Moon : Sun;
  return (
    <UnstyledButton className={classes.link} w="100%" onClick={() => setColorScheme(other)}>
      <Icon size={16} aria-hidden /> {other === 'dark' ? 'Dark' : 'Light'} mode
    </UnstyledButton>
  );
}
