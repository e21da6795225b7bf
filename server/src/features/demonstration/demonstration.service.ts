import { join } from 'node:path'
import type { Context } from '../../context.ts'
import {
  DEMONSTRATION_ACCOUNTS,
  DEMONSTRATION_PASSWORD,
  ensureDemonstrationAccounts,
} from './demonstration-accounts.ts'

/** Makes the demonstration's accounts and its library, and takes the library in, film by film, in the background. */
export function startDemonstration(context: Context, signal: AbortSignal): void {
  console.log('\nAccounts of the demonstration:')
  for (const { email, is } of DEMONSTRATION_ACCOUNTS)
    console.log(`  ${email.padEnd(24)} ${DEMONSTRATION_PASSWORD}   ${is}`)
  run(context, signal).catch((error: unknown) => {
    if (!signal.aborted) context.log.error({ err: error }, 'the demonstration library could not be made')
  })
}

async function run(context: Context, signal: AbortSignal): Promise<void> {
  await ensureDemonstrationAccounts(context)
  const { makeLibrary } = await import('@ondine/demo/make-library')
  await makeLibrary({
    folder: join(context.folders.library, 'demonstration'),
    signal,
    ...(context.settings.DEMO_TITLES ? { only: context.settings.DEMO_TITLES.split(',') } : {}),
    ...(context.settings.DEMO_SECONDS ? { secondsPerFilm: context.settings.DEMO_SECONDS } : {}),
  })
}
