import { sql } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { tokenLifetimes } from './sign-in-endings.table.ts'

const HOUR_MS = 3_600_000

/**
 * Notes that tokens are issued with a lifetime. Each process calls this when it starts, before it issues tokens.
 *
 * @param hours the setting `TOKEN_HOURS`
 * @param now milliseconds since the Unix epoch
 */
export async function noteTokenLifetime(db: Database, hours: number, now: number): Promise<void> {
  await db
    .insert(tokenLifetimes)
    .values({ hours: Math.ceil(hours), lastUsedAt: now })
    .onConflictDoUpdate({
      target: tokenLifetimes.hours,
      set: { lastUsedAt: sql`greatest(${tokenLifetimes.lastUsedAt}, excluded.last_used_at)` },
    })
}

/** Notes the setting `TOKEN_HOURS` every hour, for a process that issues tokens, until `signal` aborts. */
export function renewTokenLifetime(
  { db, settings, clock, log }: Pick<Context, 'db' | 'settings' | 'clock' | 'log'>,
  signal: AbortSignal,
): void {
  const timer = setInterval(() => {
    noteTokenLifetime(db, settings.TOKEN_HOURS, clock.now()).catch((error: unknown) =>
      log.warn({ err: error }, 'the lifetime of tokens could not be noted'),
    )
  }, HOUR_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}
