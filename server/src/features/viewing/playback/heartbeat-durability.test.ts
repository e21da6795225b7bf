import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { readSettings } from '../../../env.ts'
import { createService } from '../../../service.ts'
import { createSession } from '../../streams/play-sessions/play-sessions.service.ts'
import { seekPositionsOf } from './seek-positions.ts'

it('an acknowledged position is still stored when the service restarts on the same data', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ondine-test-'))
  const settings = readSettings({ DATA_DIR: folder, LOG_LEVEL: 'silent' })
  const log = pino({ level: 'silent' })
  try {
    const first = await createService({ settings, log })
    const make = buildersOf(first.context)
    const film = await make.asset('La Houle', { trackSet: buildTrackSet() })
    const { account, profileId } = await make.actor()
    const session = createSession(first.context.keys, {
      viewer: { accountId: account.id, profileId },
      content: { kind: 'asset', assetId: film.id, trackSetId: film.trackSet?.id ?? '', durationSeconds: 60 },
    })
    const beat = async ({ app }: typeof first, position: number) =>
      await app.inject({
        method: 'POST',
        url: '/proxy/heartbeat',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ session, position: String(position), event: 'progress' }).toString(),
      })
    expect((await beat(first, 12.5)).statusCode).toBe(200)
    await first.close()

    const second = await createService({ settings, log })
    expect(await seekPositionsOf(second.context.db, profileId, [film.id])).toEqual(new Map([[film.id, 12.5]]))
    // The session continues after the restart, because the key that signed its token is stored in the database.
    expect((await beat(second, 20)).statusCode).toBe(200)
    await second.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
