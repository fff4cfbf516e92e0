import { recipes } from '@media-jobs/video/recipes';
import { Argument, Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { descendants } from '../descendants.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** Prints a script that completes commands, options, recipes and the choices of an option. */
export const completionCommand: CommandFactory = (context) => {
  const command = new Command('completion')
    .description('Prints a script that completes commands and options in your shell.')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells));
  return command.action(async (shell: (typeof shells)[number]) => {
    const script = completionScript(shell, wordsOf(command.parent ?? command));
    context.printResult({ shell, script }, script);
  });
};

/** The words that may follow: by the path of a command, and by an option with choices. */
type Words = { commands: Map<string, string[]>; values: Map<string, string[]> };

function wordsOf(program: Command): Words {
  const commands = new Map<string, string[]>();
  const values = new Map<string, string[]>([['--recipe', recipes.map(({ name }) => name)]]);
  for (const each of [program, ...descendants(program)]) {
    const visible = each.options.filter(({ hidden }) => !hidden);
    const flags = visible.flatMap(({ long }) => (long ? [long] : []));
    commands.set(pathOf(each, program), [...each.commands.map((child) => child.name()), ...flags, '--help']);
    for (const { long, argChoices } of visible) if (long && argChoices) values.set(long, argChoices);
  }
  commands.set(
    'recipes',
    recipes.map(({ name }) => name),
  );
  return { commands, values };
}

function pathOf(command: Command, program: Command): string {
  if (command === program) return '';
  const parent = command.parent ? pathOf(command.parent as Command, program) : '';
  return `${parent} ${command.name()}`.trim();
}

function completionScript(shell: (typeof shells)[number], words: Words): string {
  if (shell === 'fish') return fishScript(words);
  const arms = (entries: Map<string, string[]>) =>
    [...entries].map(([key, list]) => `    '${key}') words='${list.join(' ')}' ;;`).join('\n');
  const script = `_media_jobs() {
  local words='' path='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) [[ " ${[...words.commands.keys()].join(' ')} " == *" $word "* ]] && path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${arms(words.commands)}
  esac
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${arms(words.values)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [[ \${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _media_jobs media-jobs`;
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script;
}

function fishScript({ commands, values }: Words): string {
  const lines = [...commands].flatMap(([path, words]) => {
    const condition = path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`;
    return `complete -c media-jobs -n '${condition}' -a '${words.join(' ')}'`;
  });
  const options = [...values].map(
    ([flag, words]) => `complete -c media-jobs -l ${flag.slice(2)} -x -a '${words.join(' ')}'`,
  );
  return [...lines, ...options].join('\n');
}
