import { addFavoriteAsset, addFavoriteChannel } from '@ondine/contract/favourites'
import { addMaterialByPairing, startPairing } from '@ondine/contract/pairing'
import { listProfiles } from '@ondine/contract/profiles'
import { changeScoreAsset } from '@ondine/contract/scores'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { testScene } from './scene.ts'
import { screensOf } from './screens.ts'
import { DATABASES, type Tokens } from './service.ts'

/** Ids of the objects that a call names. */
interface About {
  film: number
  channel: number
  tokens: Tokens
}

describe.each(DATABASES)(
  'rows deleted during a call that refers to them, on a database of kind %s',
  (kind) => {
    const about = { film: 0, channel: 0 }
    const scene = testScene(kind, {
      prepared: async ({ make }) => {
        about.film = (await make.asset('La Houle')).id
        about.channel = (await make.channel('Une', { kind: 'sequence', titles: ['x'] })).id
      },
    })
    const screens = screensOf(scene)

    /**
     * Creates a trigger that runs before a write to `table`, and deletes the row that the written row refers to.
     * This simulates a deletion by another call.
     */
    async function removedMeanwhile(
      table: string,
      column: string,
      named: string,
    ): Promise<() => Promise<void>> {
      const { db } = scene.service.context
      await db.execute(
        sql.raw(`create function goes_meanwhile() returns trigger language plpgsql as $$
        begin delete from ${named} where id = new.${column}; return new; end $$`),
      )
      await db.execute(
        sql.raw(`create trigger goes_meanwhile before insert or update of ${column} on ${table}
        for each row execute function goes_meanwhile()`),
      )
      return async () => void (await db.execute(sql`drop function goes_meanwhile cascade`))
    }

    const favourite = async ({ film, tokens }: About) =>
      await scene.service.call(addFavoriteAsset, { idAsset: film }, tokens)
    const channel = async ({ channel: idChannel, tokens }: About) =>
      await scene.service.call(addFavoriteChannel, { idChannel }, tokens)
    const score = async ({ film, tokens }: About) =>
      await scene.service.call(changeScoreAsset, { idAsset: film, score: 4 }, tokens)
    const pair = async ({ tokens }: About) => {
      const { code } = (await scene.service.call(startPairing, {})).result
      return await scene.service.call(addMaterialByPairing, { code }, tokens)
    }
    const play = async ({ film, tokens }: About) => await screens.play(film, tokens)

    it.each([
      ['a profile that keeps a film', favourite, 'favourites', 'profile_id', 'profiles', -404],
      ['a film that is kept', favourite, 'favourites', 'asset_id', 'assets', -404],
      ['a profile that keeps a channel', channel, 'favourites', 'profile_id', 'profiles', -404],
      ['a channel that is kept', channel, 'favourites', 'channel_id', 'channels', -10],
      ['a profile that scores a film', score, 'scores', 'profile_id', 'profiles', -404],
      ['a profile that pairs a television', pair, 'pairings', 'profile_id', 'profiles', -404],
      ['a device that begins to play', play, 'playing', 'device_id', 'devices', -340],
    ] as const)(
      'A8.3 %s is treated as if it had never existed',
      async (_what, call, table, column, named, code) => {
        const tokens = await screens.on(`browser-of-${table}`)
        const restore = await removedMeanwhile(table, column, named)
        try {
          const { error } = await call({ ...about, tokens })
          expect(error.code).toBe(code)
        } finally {
          await restore()
        }
        // A refused deletion must have had no effect.
        expect((await scene.service.call(listProfiles, {}, tokens)).result).toHaveLength(1)
        expect((await call({ ...about, tokens })).status).toBe(200)
      },
    )
  },
)
