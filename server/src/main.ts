import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { InvalidArgumentError, Option, Command as Program } from 'commander'
import { COMMANDS } from './control/all-commands.ts'
import {
  type Command,
  type CommandControl,
  CommandError,
  type CommandInput,
  type Report,
} from './control/commands.ts'
import { DataInUseError, ownData, requireDataFolder } from './control/ownership.ts'
import { runRemotely, takeCommands } from './control/socket.ts'
import { DatabaseError } from './database/connection.ts'
import { readSettings, type Settings, SettingsError, withoutPassword } from './env.ts'
import { isErrno } from './is-errno.ts'
import { isAddress } from './outbound/open-source.ts'
import { NO_ROLES, type Roles, RolesError, readRoles } from './roles.ts'

/** Version of this installation. */
const { version: VERSION } = createRequire(import.meta.url)('../package.json') as { version: string }

/** Exit code of an interrupted shell command. */
const INTERRUPTED = 130

/** Errors whose message tells the operator what to do. */
const FOR_OPERATORS = [CommandError, SettingsError, DataInUseError, DatabaseError]

const program = new Program('ondine')
  .description('A complete subscription streaming service. Without a command, it serves.')
  .version(VERSION)
  .showHelpAfterError()

program
  .command('serve')
  .description('Run the service, or the part of it that --role names.')
  .addOption(
    new Option(
      '--role <roles>',
      'what this process does: web, worker, ingest, or several, separated by commas; all by default',
    ).argParser(rolesOf),
  )
  .action(async ({ role }: { role?: Roles }) => {
    const { serve } = await import('./serve.ts')
    await serve(readHere(), role)
  })

program
  .command('keep')
  .description('Keep receiving the live inputs of this machine while the role ingest is replaced.')
  .action(async () => {
    const { keepInputs } = await import('./keep.ts')
    await keepInputs(readHere().DATA_DIR)
  })

for (const command of COMMANDS) addCommand(command)
// The commands have their own help after an error. The list of all commands would hide the error.
program.showHelpAfterError('Run "ondine --help" for all commands.')

// The reader of the output may leave early, such as `head`. The command goes on without output, so that its work is
// complete and the database is closed.
process.stdout.on('error', (error) => {
  if (!isErrno(error, 'EPIPE')) throw error
})

try {
  await program.parseAsync(wordsOf(process.argv.slice(2)), { from: 'user' })
} catch (error) {
  const isForOperators = isForbiddenFile(error) || FOR_OPERATORS.some((each) => error instanceof each)
  if (!isForOperators) throw error
  console.error((error as Error).message)
  if (isForbiddenFile(error)) console.error('Run ondine as the user of the service, who owns DATA_DIR.')
  // Not only the exit code: the control socket and the database may be open, and would keep the process alive.
  process.exit(1)
}

/**
 * Adds the default command. It is not declared as the program's default, because the program would then give it each
 * unknown command, and could not name a similar one.
 */
function wordsOf(typed: string[]): string[] {
  const [first] = typed
  const isOfServe =
    first === undefined || (first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first))
  return isOfServe ? ['serve', ...typed] : typed
}

/** @throws SettingsError */
function readHere(): Settings {
  const settings = readSettings(process.env)
  requireDataFolder(settings.DATA_DIR)
  return settings
}

/** Returns whether this user may not use a file or a socket of the installation. A TCP port is neither. */
function isForbiddenFile(error: unknown): boolean {
  return isErrno(error, 'EACCES', 'EPERM') && !('port' in error)
}

function rolesOf(text: string): Roles {
  try {
    return readRoles(text)
  } catch (error) {
    throw error instanceof RolesError ? new InvalidArgumentError(error.message) : error
  }
}

/** Adds a command whose name may have several words, such as `accounts create`. */
function addCommand(command: Command): void {
  const words = command.name.split(' ')
  const parent = words
    .slice(0, -1)
    .reduce(
      (above, word) => above.commands.find((known) => known.name() === word) ?? above.command(word),
      program,
    )
  const added = parent.command(words.at(-1) ?? '').description(command.summary)
  for (const { name, summary, optional } of command.arguments)
    added.argument(optional ? `[${name}]` : `<${name}>`, summary)
  for (const { flags, summary, default: fallback, environment } of command.options ?? []) {
    const option = new Option(flags, summary).default(fallback)
    added.addOption(environment === undefined ? option : option.env(environment))
  }
  added.action(async () => {
    const values = added.args.map((value, index) =>
      command.arguments[index]?.isPath ? hereOf(value) : value,
    )
    const options: CommandInput['options'] = added.opts()
    for (const option of added.options) {
      const key = option.attributeName()
      const value = options[key]
      if (
        typeof value === 'string' &&
        command.options?.some(({ flags, isPath }) => isPath && flags === option.flags)
      )
        options[key] = hereOf(value)
    }
    await runCommand(command, { arguments: values, options })
  })
}

/**
 * Resolves a path in the folder where the command was typed. npm and `script/ondine` report that folder. Addresses are
 * left unchanged.
 */
function hereOf(path: string): string {
  if (isAddress(path)) return path
  return resolve(process.env.INIT_CWD ?? process.cwd(), path)
}

async function runCommand(command: Command, input: CommandInput): Promise<void> {
  const settings = readHere()
  const interrupted = new AbortController()
  process.once('SIGINT', () =>
    interrupted.abort(new CommandError('Interrupted. Run the command again to go on.')),
  )
  const control = { signal: interrupted.signal, report: createReporter() }
  try {
    const done = await runRemotely(settings.DATA_DIR, command.name, input, control)
    if (!done) await runHere(settings, command, input, control)
  } catch (error) {
    if (!interrupted.signal.aborted) throw error
    console.error('\nInterrupted. Run the command again to go on.')
    process.exitCode = INTERRUPTED
  }
}

async function runHere(
  settings: Settings,
  command: Command,
  input: CommandInput,
  control: CommandControl,
): Promise<void> {
  // While this process owns the data, other commands run through it.
  const commands = await ownData(settings.DATA_DIR, (server) => takeCommands(server, COMMANDS))
  const starting = import('./service.ts').then(
    async ({ createService }) =>
      await createService({ settings: { ...settings, LOG_LEVEL: 'warn' }, roles: NO_ROLES }),
  )
  commands.runIn(starting.then(({ context }) => context))
  const service = await starting.catch((error: unknown) => {
    if (error instanceof DatabaseError && command.runWithoutDatabase) return error
    throw error
  })
  if (service instanceof DatabaseError) {
    await command.runWithoutDatabase?.(settings, service, control)
    return
  }
  if (service.context.storefronts.isNew) console.error(begunIn(settings))
  try {
    await command.run(service.context, input, control)
  } finally {
    await commands.idle()
    commands.refuse()
    await service.close()
    await commands.close()
  }
}

/** Returns a note for operators who typed a command without the settings of their service. */
function begunIn({ DATA_DIR, DATABASE_URL }: Settings): string {
  const database = DATABASE_URL === undefined ? '' : ` with the database at ${withoutPassword(DATABASE_URL)}`
  return `Note: there was no installation in ${DATA_DIR}${database}, so this command began a new one. A command needs the DATA_DIR and DATABASE_URL of the service.`
}

/**
 * Returns a function that writes the progress of a command. In a terminal, lines with a percentage replace each other.
 */
function createReporter(): (report: Report) => void {
  let passing = false
  return ({ text, percent, secondsLeft }) => {
    const left = secondsLeft === undefined ? '' : `, ${secondsLeft} s left`
    const line = percent === undefined ? text : `${text}: ${percent.toFixed(0)} %${left}`
    if (passing && process.stdout.isTTY) process.stdout.write('\r\u001b[K')
    passing = percent !== undefined && percent < 100 && process.stdout.isTTY
    process.stdout.write(passing ? line : `${line}\n`)
  }
}
