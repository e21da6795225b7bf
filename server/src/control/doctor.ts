import { constants, existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { hostname } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Context } from '../context.ts'
import type { ConnectedProcess } from '../database/processes.ts'
import { SETTINGS, type Settings, withoutPassword } from '../env.ts'
import { countMissing, storeStates } from '../features/inventory/stores/stores.service.ts'
import { formerDemonstration } from '../features/settings/storefronts/storefronts.service.ts'
import { listInputs } from '../features/streams/live-inputs/live-inputs.repository.ts'
import { countCopies } from '../features/viewing/recordings/recording-copies.repository.ts'
import { ENOUGH_BYTES, freeBytesOf } from '../free-space.ts'
import { missingAddress } from '../http/site-origin.ts'
import { type VatRates, writeVatRates } from '../money/vat-rates.ts'
import { ROLES, type Role } from '../roles.ts'
import { type Command, type CommandControl, CommandError } from './commands.ts'
import { keeperSocketPath } from './ownership.ts'

/** The `doctor` command, which checks whether the installation has what it needs. */
export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check the settings, the database, the disk and the programs that the service needs.',
  arguments: [],
  run: async (context, _input, { report }) => {
    const { settings, connection } = context
    const checks = new Checks(report)
    const fault = await faultOf(async () => await connection.ping())
    await checkMachine(checks, settings, { fault, kind: connection.kind })
    if (fault === undefined) await checkContents(checks, context)
    checks.say(await keptInputs(settings))
    const unreachable = missingAddress(context)
    if (unreachable !== undefined) checks.say(`! address: ${unreachable}`)
    const former = formerDemonstration(settings, context.storefronts)
    if (former !== undefined) checks.say(`! demonstration: ${former}`)
    checks.end(settings)
  },
  runWithoutDatabase: async (settings, { message }, { report }) => {
    const checks = new Checks(report)
    await checkMachine(checks, settings, { fault: message, kind: '' })
    checks.say(await keptInputs(settings))
    checks.end(settings)
  },
}

/** Reports checks (✓ passed, ✗ failed) and notes (!), and counts the failures. */
class Checks {
  readonly #report: CommandControl['report']
  #failed = 0

  constructor(report: CommandControl['report']) {
    this.#report = report
  }

  say(text: string): void {
    this.#report({ text })
  }

  /** Reports a check that found `fault`, or is `fine`. */
  check(name: string, fault: string | undefined, fine: string): void {
    if (fault === undefined) this.say(`✓ ${name}: ${fine}`)
    else this.fail(name, fault)
  }

  /** Reports a check that found `fault`. */
  fail(name: string, fault: string): void {
    this.say(`✗ ${name}: ${fault}`)
    this.#failed += 1
  }

  /** Reports the settings. @throws CommandError if a check has failed */
  end(settings: Settings): void {
    this.say('\nSettings:')
    for (const [name, schema] of Object.entries(SETTINGS)) {
      const value = shown(settings, name as keyof typeof SETTINGS)
      this.say(`  ${name}=${String(value ?? '')}  ${schema.description ?? ''}`)
    }
    if (this.#failed > 0) throw new CommandError(`${this.#failed} of the checks failed.`)
  }
}

async function checkMachine(
  checks: Checks,
  settings: Settings,
  database: { fault: string | undefined; kind: string },
): Promise<void> {
  checks.check(
    'Node',
    Number(process.versions.node.split('.')[0]) < 24
      ? `${process.version} is too old, 24 is needed`
      : undefined,
    process.version,
  )
  checks.check('database', database.fault, database.kind)
  for (const program of ['ffmpeg', 'ffprobe']) {
    const path = await findProgram(program)
    checks.check(
      program,
      path === undefined ? 'is not installed; script/bootstrap installs it' : undefined,
      path ?? '',
    )
  }
  checks.check(
    'data folder',
    await faultOf(async () => await access(settings.DATA_DIR, constants.W_OK)),
    settings.DATA_DIR,
  )
  const free = await freeBytesOf(settings.DATA_DIR)
  checks.check(
    'disk',
    free < ENOUGH_BYTES ? `only ${gigabytes(free)} free` : undefined,
    `${gigabytes(free)} free`,
  )
}

/** Checks what the database and the stores contain, and which processes are connected. */
async function checkContents(checks: Checks, context: Context): Promise<void> {
  for (const { store, fault, held } of await storeStates(context)) {
    checks.check(`store ${store.name}`, fault, `belongs to this database (${store.entries.where})`)
    const missing = fault === undefined ? await countMissing(context.db, store) : 0
    if (missing > 0)
      checks.fail(
        `store ${store.name}`,
        `missing entries that the database names: ${missing}. Restore them from a backup, or import their folders again`,
      )
    if (held > 0)
      checks.say(
        `! store ${store.name}: ${held} in quarantine, unknown to this database. They are restored once it knows them, such as after restoring a newer backup. "ondine store empty" deletes them`,
      )
  }
  await reportCopies(context, (text) => checks.say(text))
  const processes = await context.connection.processes()
  for (const { roles, since, isThis } of processes) {
    const what = roles === '' ? 'a command' : roles
    checks.say(`  process since ${since.toISOString()}: ${what}${isThis ? ' (this one)' : ''}`)
  }
  const missing = missingRoles(processes)
  if (missing.length === 0) return
  const text = `no process has ${missing.join(', ')}`
  const hasInputs = (await listInputs(context.db, context.clock.now())).length > 0
  if (missing.some((role) => role !== 'ingest') || hasInputs) checks.fail('roles', text)
  else checks.say(`! roles: ${text}, which the first live input will need`)
}

/** Reports the copies of recordings (`RECORDING_COPIES`), if there are any. */
async function reportCopies({ db }: Pick<Context, 'db'>, say: (text: string) => void): Promise<void> {
  const { waiting, failed, ready } = await countCopies(db)
  if (waiting + ready > 0) say(`  copies of recordings: ${waiting} waiting, ${ready} ready`)
  if (failed > 0)
    say(
      `! copies of recordings: ${failed} could not be made, and will be tried again. The log of the worker says why`,
    )
}

/**
 * Returns a line about the keeper of this machine: how many ffmpeg processes it runs, that no keeper runs, or why the
 * number is unknown. The line names the machine, because a service on another machine than the operator's shell may run
 * the command.
 */
async function keptInputs({ DATA_DIR }: Settings): Promise<string> {
  const { Keeper } = await import('../ingest/live/keeper.ts')
  const keeper = new Keeper(keeperSocketPath(DATA_DIR))
  const log = existsSync(keeper.log) ? `. Its log is ${keeper.log}` : ''
  try {
    const programs = await keeper.programs()
    if (programs === undefined) return `  keeper of live inputs: none runs on the machine ${hostname()}${log}`
    return `  keeper of live inputs: it runs ${programs} ffmpegs on the machine ${hostname()}${log}`
  } catch (error) {
    return `! keeper of live inputs: ${error instanceof Error ? error.message : String(error)}${log}`
  }
}

/** Returns the roles that none of the processes has; empty if no process has any role. */
function missingRoles(processes: readonly ConnectedProcess[]): Role[] {
  const serving = new Set(processes.flatMap(({ roles }) => roles.split(',')))
  const missing = ROLES.filter((role) => !serving.has(role))
  return missing.length === ROLES.length ? [] : missing
}

async function faultOf(check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name)
    if ((await faultOf(async () => await access(path, constants.X_OK))) === undefined) return path
  }
  return undefined
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`
}

const SECRETS: ReadonlySet<keyof Settings> = new Set([
  'SSO_CLIENT_SECRET',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'CLEENG_PUBLISHER_TOKEN',
  'CASTLABS_SECRET',
  'CASTLABS_PASSWORD',
  'AXINOM_KEY',
  'DOVERUNNER_SITE_KEY',
  'DOVERUNNER_ACCESS_KEY',
])

/** Returns a setting with its secrets hidden. */
function shown(settings: Settings, name: keyof Settings): Exclude<Settings[keyof Settings], VatRates> {
  if (name === 'DATABASE_URL' || name === 'SMTP_URL') {
    const url = settings[name]
    return url === undefined ? undefined : withoutPassword(url)
  }
  if (SECRETS.has(name)) return settings[name] === undefined ? undefined : '…'
  if (name === 'SELLER') return settings[name].join(' | ')
  return name === 'VAT_RATES' ? writeVatRates(settings[name]) : settings[name]
}
