import { COMMANDS } from '../src/control/all-commands.ts'
import { doctorCommand } from '../src/control/doctor.ts'
import type { Service } from '../src/service.ts'

/**
 * Runs a command and returns its output: `channels set 7 --free yes` is `run(service, 'channels set', ['7'], { free:
 * 'yes' })`.
 */
export async function runCommand(
  { context }: Pick<Service, 'context'>,
  name: string,
  args: string[] = [],
  options: Record<string, string | boolean> = {},
): Promise<string> {
  const command = COMMANDS.find((each) => each.name === name)
  if (!command) throw new Error(`There is no command ${name}.`)
  const said: string[] = []
  await command.run(
    context,
    { arguments: args, options },
    { signal: new AbortController().signal, report: ({ text }) => said.push(text) },
  )
  return said.join('\n')
}

/** Returns the output of `doctor`. Its checks may fail on the machine that runs the tests. */
export async function doctorSays({ context }: Pick<Service, 'context'>): Promise<string> {
  const said: string[] = []
  await doctorCommand
    .run(
      context,
      { arguments: [], options: {} },
      { signal: new AbortController().signal, report: ({ text }) => said.push(text) },
    )
    .catch(() => {})
  return said.join('\n')
}
