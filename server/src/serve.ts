import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMMANDS } from './control/all-commands.ts'
import { ownData } from './control/ownership.ts'
import { takeCommands } from './control/socket.ts'
import type { Settings } from './env.ts'
import { missingAddress } from './http/site-origin.ts'
import { builtApplication, type WebApplication } from './http/web-application.ts'
import { createService, type Service } from './service.ts'

/** Folder of the built web application. */
const WEB = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** Time limit for an orderly shutdown. */
const SHUTDOWN_SECONDS = 5

/**
 * Runs the service until it is told to stop.
 *
 * @param pages defaults to the built web application
 */
export async function serve(settings: Settings, pages?: WebApplication): Promise<void> {
  const control = await ownData(settings.DATA_DIR)
  const starting = start(settings, pages)
  takeCommands(
    control,
    starting.then(({ context }) => context),
    COMMANDS,
  )
  const service = await starting
  await service.app.listen({ port: settings.PORT, host: settings.HOST })
  const [address] = service.app.addresses()
  console.log(`Ondine is on http://localhost:${typeof address === 'object' ? address.port : settings.PORT}`)
  if (settings.SMTP_URL === undefined)
    console.log(`E-mails are kept as files in ${join(settings.DATA_DIR, 'outbox')}`)
  const unreachable = missingAddress(service.context)
  if (unreachable !== undefined) console.log(`Note: ${unreachable}.`)
  service.start()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      control.close()
      void end(service, signal)
    })
  }
}

async function start(settings: Settings, pages: WebApplication | undefined): Promise<Service> {
  return await createService({ settings, pages: pages ?? (await builtApplication(WEB)) })
}

async function end(service: Service, signal: NodeJS.Signals): Promise<void> {
  const { log } = service.context
  log.info({ signal }, 'ending')
  const late = setTimeout(() => {
    log.error('the service did not stop in time')
    process.exit(1)
  }, SHUTDOWN_SECONDS * 1000)
  try {
    await service.close()
    clearTimeout(late)
    process.exit(0)
  } catch (error) {
    log.error({ err: error }, 'the service did not stop cleanly')
    process.exit(1)
  }
}
