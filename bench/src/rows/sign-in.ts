import type { Context } from '@ondine/server/context'
import { createAccount } from '@ondine/server/features/people/profiles/new-account.service'
import { withInstallation } from '../installation.ts'
import { type LoadResult, load } from '../load.ts'
import type { Row } from '../row.ts'
import { startService } from '../service.ts'

const PEOPLE = 20
const PASSWORD = 'Ondine-2026!'
/**
 * Rate that sign-ins must reach. The measured rate cannot exceed `SIGN_INS_PER_SECOND`, the rate at which sign-ins
 * are requested.
 */
const MUST_REACH_PER_SECOND = 20
const SIGN_INS_PER_SECOND = 25
const READS_PER_SECOND = 500
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/**
 * Measures sign-ins while other viewers read the catalogue. The service hashes passwords in separate threads, so
 * that the thread that answers calls stays free.
 */
export const signIn: Row = {
  name: 'sign-in',
  measure: async ({ rounds, roundMs }) =>
    await withInstallation('postgresql', peopleOf, async ({ environment, catalogue }, emails) => {
      const service = await startService({ ...environment, SIGN_IN_ATTEMPTS: '1000000' })
      const signIns = {
        port: service.port,
        // There are only a few connections, because a round ends after all its sign-ins have been answered.
        connections: 4,
        milliseconds: Math.max(roundMs, 5000),
        perSecond: SIGN_INS_PER_SECOND,
        requests: emails.map((email) => ({
          method: 'POST' as const,
          path: '/oauth/token',
          headers: FORM,
          body: new URLSearchParams({
            username: email,
            password: PASSWORD,
            grant_type: 'password',
          }).toString(),
        })),
      }
      const reads = {
        ...signIns,
        connections: 32,
        perSecond: READS_PER_SECOND,
        requests: [
          {
            method: 'POST' as const,
            path: '/proxy/listContent',
            headers: { ...FORM, ...catalogue.tokens },
            body: `id=${catalogue.categoryIds[0]}&languageId=fra`,
          },
        ],
      }
      const alone: LoadResult[] = []
      const beside: LoadResult[] = []
      const signedIn: LoadResult[] = []
      await load({ ...reads, milliseconds: 1000 })
      for (let round = 0; round < rounds; round++) {
        alone.push(await load(reads))
        const [people, catalogueReads] = await Promise.all([load(signIns), load(reads)])
        signedIn.push(people)
        beside.push(catalogueReads)
      }
      await service.stop()
      const note = `argon2id at its recommended cost, ${READS_PER_SECOND} reads a second beside it. PostgreSQL, the service and what asks share the machine.`
      return [
        {
          what: `sign-ins with a password, asked for at ${SIGN_INS_PER_SECOND}/s`,
          unit: '/s',
          values: signedIn.map(({ answersPerSecond }) => answersPerSecond),
          // There is no desired rate. The requested rate is out of reach, because the last requests are answered
          // after the end of the round.
          target: { better: 'higher', mustReach: MUST_REACH_PER_SECOND, aimsAt: null },
          reference: null,
          note,
        },
        {
          what: 'catalogue reads meanwhile, 99 of 100',
          unit: 'ms',
          values: beside.map(({ p99Ms }) => p99Ms),
          target: { better: 'lower', mustReach: 50, aimsAt: null },
          reference: { what: 'the same while nobody signs in', values: alone.map(({ p99Ms }) => p99Ms) },
        },
      ]
    }),
}

async function peopleOf({ db, storefronts }: Context): Promise<string[]> {
  const emails = Array.from({ length: PEOPLE }, (_, index) => `person-${index}@ondine.test`)
  for (const email of emails) await createAccount(db, storefronts.first().id, { email, password: PASSWORD })
  return emails
}
