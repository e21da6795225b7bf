import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMMANDS } from './control/all-commands.ts'
import { ownData } from './control/ownership.ts'
import { type ServedCommands, takeCommands } from './control/socket.ts'
import { type Settings, SettingsError } from './env.ts'
import { formerDemonstration } from './features/settings/storefronts/storefronts.service.ts'
import { missingAddress } from './http/site-origin.ts'
import { builtApplication, type WebApplication } from './http/web-application.ts'
import { ALL_ROLES, isAlone, type Roles, writeRoles } from './roles.ts'
import { createService, type Service } from './service.ts'

/** Folder of the built web application. */
const WEB = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** Time limit for an orderly shutdown. */
const SHUTDOWN_SECONDS = 5

/** Values of HOST with which the service answers at localhost. */
const AT_LOCALHOST: ReadonlySet<string> = new Set(['0.0.0.0', '::', '127.0.0.1', '::1'])

const NEEDS_POSTGRESQL =
  '--role needs DATABASE_URL: only one process can open the embedded database. Without --role, one process does everything.'

/**
 * Runs the service until SIGINT or SIGTERM.
 *
 * @param roles the tasks of this process; other processes of the installation have the other tasks
 * @param pages defaults to the built web application
 * @throws SettingsError if `roles` is not all roles, but the database is embedded, which allows a single process
 */
export async function serve(
  settings: Settings,
  roles: Roles = ALL_ROLES,
  pages?: WebApplication,
): Promise<void> {
  if (!isAlone(roles) && settings.DATABASE_URL === undefined) throw new SettingsError(NEEDS_POSTGRESQL)
  // The worker runs the commands, because some of them start programs.
  const commands = roles.has('worker')
    ? await ownData(settings.DATA_DIR, (control) => takeCommands(control, COMMANDS))
    : undefined
  const starting = start(settings, roles, pages)
  commands?.runIn(starting.then(({ context }) => context))
  const service = await starting
  await listen(service, settings)
  const [address] = service.app.addresses()
  const origin = originAt(settings.HOST, typeof address === 'object' ? address.port : settings.PORT)
  if (roles.has('web')) console.log(`Ondine is on ${origin}`)
  else console.log(`Ondine (${writeRoles(roles)}) answers only /healthz, /readyz and /metrics, on ${origin}`)
  if (roles.has('worker') && settings.SMTP_URL === undefined)
    console.log(`E-mails are kept as files in ${join(settings.DATA_DIR, 'outbox')}`)
  const notes = [
    roles.has('web') ? missingAddress(service.context) : undefined,
    roles.has('worker') ? formerDemonstration(settings, service.context.storefronts) : undefined,
  ]
  for (const note of notes) if (note !== undefined) console.log(`Note: ${note}.`)
  service.start()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      commands?.refuse()
      void end(service, commands, signal)
    })
  }
}

/** Reasons why the service cannot listen, by the error code of the system. */
const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses this port; stop it, or set another PORT',
  EACCES: 'this user may not use this port; set PORT to 1024 or higher, or grant the right to low ports',
  ENOTFOUND: 'this host name is unknown; set another HOST',
  EADDRNOTAVAIL: 'this machine does not have this address; set another HOST',
}

/** Returns the origin at which a browser on this machine reaches the service. */
function originAt(host: string, port: number): string {
  const name = AT_LOCALHOST.has(host) ? 'localhost' : isIPv6(host) ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** @throws SettingsError if the service cannot listen at the address of the settings */
async function listen({ app }: Service, { PORT, HOST }: Settings): Promise<void> {
  try {
    await app.listen({ port: PORT, host: HOST })
  } catch (error) {
    const reason = LISTEN_FAULTS[(error as NodeJS.ErrnoException).code ?? '']
    throw reason === undefined ? error : new SettingsError(`HOST=${HOST}, PORT=${PORT}: ${reason}.`)
  }
}

async function start(settings: Settings, roles: Roles, pages: WebApplication | undefined): Promise<Service> {
  if (!roles.has('web')) return await createService({ settings, roles })
  return await createService({ settings, roles, pages: pages ?? (await builtApplication(WEB)) })
}

async function end(
  service: Service,
  commands: ServedCommands | undefined,
  signal: NodeJS.Signals,
): Promise<void> {
  const { log } = service.context
  log.info({ signal }, 'ending')
  const late = setTimeout(() => {
    log.error('the service did not stop in time')
    process.exit(1)
  }, SHUTDOWN_SECONDS * 1000)
  try {
    await service.close()
    clearTimeout(late)
    void commands?.close()
    process.exit(0)
  } catch (error) {
    log.error({ err: error }, 'the service did not stop cleanly')
    process.exit(1)
  }
}
