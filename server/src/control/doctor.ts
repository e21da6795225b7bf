import { constants, existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Context } from '../context.ts'
import type { ConnectedProcess } from '../database/processes.ts'
import { SETTINGS, type Settings } from '../env.ts'
import { storeStates } from '../features/inventory/stores/stores.service.ts'
import { countCopies } from '../features/viewing/recordings/recording-copies.repository.ts'
import { ENOUGH_BYTES, freeBytesOf } from '../free-space.ts'
import { missingAddress } from '../http/site-origin.ts'
import { type VatRates, writeVatRates } from '../money/vat-rates.ts'
import { ROLES } from '../roles.ts'
import { type Command, CommandError } from './commands.ts'
import { keeperSocketPath } from './ownership.ts'

/** The `doctor` command, which checks whether the installation has what it needs. */
export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check the settings, the database, the disk and the programs that the service needs.',
  arguments: [],
  run: async (context, _input, { report }) => {
    const { settings, connection } = context
    const faults: string[] = []
    const check = (name: string, fault: string | undefined, fine: string) => {
      report({ text: `${fault === undefined ? '✓' : '✗'} ${name}: ${fault ?? fine}` })
      if (fault !== undefined) faults.push(fault)
    }
    check(
      'Node',
      Number(process.versions.node.split('.')[0]) < 24
        ? `${process.version} is too old, 24 is needed`
        : undefined,
      process.version,
    )
    check('database', await faultOf(async () => await connection.ping()), connection.kind)
    for (const program of ['ffmpeg', 'ffprobe']) {
      const path = await findProgram(program)
      check(
        program,
        path === undefined ? 'is not installed; script/bootstrap installs it' : undefined,
        path ?? '',
      )
    }
    check(
      'data folder',
      await faultOf(async () => await access(settings.DATA_DIR, constants.W_OK)),
      settings.DATA_DIR,
    )
    const free = await freeBytesOf(settings.DATA_DIR)
    check('disk', free < ENOUGH_BYTES ? `only ${gigabytes(free)} free` : undefined, `${gigabytes(free)} free`)
    for (const { store, fault, held } of await storeStates(context)) {
      check(`store ${store.name}`, fault, `belongs to this database (${store.entries.where})`)
      if (held > 0)
        report({
          text: `! store ${store.name}: ${held} in quarantine, unknown to this database. They are restored once it knows them, such as after restoring a newer backup. "ondine store empty" deletes them`,
        })
    }
    await reportCopies(context, (text) => report({ text }))
    const processes = await connection.processes()
    for (const { roles, since, isThis } of processes) {
      const what = roles === '' ? 'a command' : roles
      report({ text: `  process since ${since.toISOString()}: ${what}${isThis ? ' (this one)' : ''}` })
    }
    report({ text: await keptInputs(settings) })
    const missing = missingRoles(processes)
    if (missing !== '') report({ text: `! roles: no process has ${missing}` })
    const unreachable = missingAddress(context)
    if (unreachable !== undefined) report({ text: `! address: ${unreachable}` })
    report({ text: '\nSettings:' })
    for (const [name, schema] of Object.entries(SETTINGS)) {
      const value = shown(settings, name as keyof typeof SETTINGS)
      report({ text: `  ${name}=${String(value ?? '')}  ${schema.description ?? ''}` })
    }
    if (faults.length > 0) throw new CommandError(`${faults.length} of the checks failed.`)
  },
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
 * Returns a line about the keeper of this machine: the number of ffmpegs that it runs, that no keeper runs, or why
 * the keeper does not state the number.
 */
async function keptInputs({ DATA_DIR }: Settings): Promise<string> {
  const { Keeper } = await import('../ingest/live/keeper.ts')
  const keeper = new Keeper(keeperSocketPath(DATA_DIR))
  const log = existsSync(keeper.log) ? `. Its log is ${keeper.log}` : ''
  try {
    const programs = await keeper.programs()
    if (programs === undefined) return `  keeper of live inputs: none runs on this machine${log}`
    return `  keeper of live inputs: it runs ${programs} ffmpegs on this machine${log}`
  } catch (error) {
    return `! keeper of live inputs: ${error instanceof Error ? error.message : String(error)}${log}`
  }
}

/** Returns the roles that none of the processes has; empty if no process has any role. */
function missingRoles(processes: readonly ConnectedProcess[]): string {
  const serving = new Set(processes.flatMap(({ roles }) => roles.split(',')))
  const missing = ROLES.filter((role) => !serving.has(role))
  return missing.length === ROLES.length ? '' : missing.join(', ')
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
  if (name === 'DATABASE_URL' || name === 'SMTP_URL') return withoutPassword(settings[name])
  if (SECRETS.has(name)) return settings[name] === undefined ? undefined : '…'
  if (name === 'SELLER') return settings[name].join(' | ')
  return name === 'VAT_RATES' ? writeVatRates(settings[name]) : settings[name]
}

function withoutPassword(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  const parsed = new URL(url)
  if (parsed.password) parsed.password = '…'
  return parsed.href
}
