import { expect, it } from 'vitest'
import { sharedService } from './shared-service.ts'

/** Of JavaScript, compressed, in bytes: what home may bring before anything of it moves. */
const BUDGET = 190_000

const { origin } = sharedService()

it('home brings its scripts within the budget, and neither the player nor the schema library with them', async () => {
  const home = await (await fetch(origin)).text()
  const scripts = [...new Set(home.match(/\/assets\/[\w.-]+\.js/g))]
  expect(scripts.length).toBeGreaterThan(3)
  let bytes = 0
  for (const script of scripts) {
    // The length is that of what travels; `fetch` would unpack it.
    const head = await fetch(origin + script, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
    expect(head.status, script).toBe(200)
    bytes += Number(head.headers.get('content-length'))
    const code = await (await fetch(origin + script)).text()
    expect(code, `${script} holds zod`).not.toMatch(/ZodError|_zod/)
    expect(code, `${script} holds Shaka`).not.toContain('shaka.log')
  }
  expect(bytes).toBeGreaterThan(20_000)
  expect(bytes).toBeLessThan(BUDGET)
})
