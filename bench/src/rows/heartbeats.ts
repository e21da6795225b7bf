import type { Context } from '@ondine/server/context'
import { accounts } from '@ondine/server/features/people/accounts/accounts.table'
import { profiles } from '@ondine/server/features/people/profiles/profiles.table'
import {
  createSession,
  newSessionId,
} from '@ondine/server/features/streams/play-sessions/play-sessions.service'
import { playing } from '@ondine/server/features/viewing/playback/playing.table'
import type { Catalogue } from '../catalogue.ts'
import { DATABASE_NAMES, withInstallation } from '../installation.ts'
import { answerRates, loadInTurns } from '../load.ts'
import type { Figure, Row } from '../row.ts'
import { startPeer, startService } from '../service.ts'

const VIEWERS = 2000
const CONNECTIONS = 200

/** Measures players' heartbeats. The service stores the position before it answers. */
export const heartbeats: Row = {
  name: 'heartbeats',
  measure: async ({ rounds, roundMs }) => {
    const figures: Figure[] = []
    for (const kind of ['postgresql', 'embedded'] as const) {
      const rates = await withInstallation(kind, viewersOf, async ({ environment }, sessions) => {
        const service = await startService(environment)
        const peer = await startPeer('empty-route')
        const requests = (path: string) =>
          sessions.map((session, index) => ({
            method: 'POST' as const,
            path,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            body: `session=${session}&position=${(index % 60) + 0.5}&event=progress&languageId=fra`,
          }))
        const common = { connections: CONNECTIONS, milliseconds: roundMs }
        const measured = await loadInTurns(
          { ...common, port: service.port, requests: requests('/proxy/heartbeat') },
          { ...common, port: peer.port, requests: requests('/') },
          rounds,
        )
        await service.stop()
        await peer.stop()
        return measured
      })
      figures.push({
        what: `heartbeats of running sessions, on ${DATABASE_NAMES[kind]}`,
        unit: '/s',
        values: answerRates(rates.subject),
        target: { better: 'higher', mustReach: 12_000, aimsAt: 30_000 },
        reference: {
          what: 'an empty Fastify route that takes the same form',
          values: answerRates(rates.reference),
        },
        note: `${VIEWERS.toLocaleString('en-GB')} viewers on ${CONNECTIONS} connections. The PostgreSQL runs on the same two cores, with fsync off.`,
      })
    }
    return figures
  },
}

/** Creates playback sessions for several viewers. Each has a separate profile. */
async function viewersOf({ db, keys, storefronts }: Context, { films }: Catalogue): Promise<string[]> {
  const storefrontId = storefronts.first().id
  const rows = Array.from({ length: VIEWERS }, (_, index) => ({
    storefrontId,
    email: `viewer-${index}@ondine.test`,
    // No password has an empty hash, so nobody can sign in to this account.
    passwordHash: '',
  }))
  const made = await db.insert(accounts).values(rows).returning({ id: accounts.id })
  const viewers = await db
    .insert(profiles)
    .values(made.map(({ id }) => ({ accountId: id, name: 'Camille', isDefault: true })))
    .returning({ id: profiles.id, accountId: profiles.accountId })
  const begun: (typeof playing.$inferInsert)[] = []
  const sessions = viewers.map(({ id, accountId }, index) => {
    const film = films[index % films.length]
    if (!film) throw new Error('There are no films.')
    const sessionId = newSessionId()
    begun.push({ id: sessionId, accountId, assetId: film.id, seenAt: Date.now() })
    const session = {
      viewer: { accountId, profileId: id },
      content: {
        kind: 'asset',
        assetId: film.id,
        trackSetId: film.trackSet.id,
        durationSeconds: film.durationSeconds,
      } as const,
    }
    return createSession(keys, session, sessionId)
  })
  await db.insert(playing).values(begun)
  return sessions
}
