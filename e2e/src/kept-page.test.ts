import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { sharedService } from './shared-service.ts'

/** Concurrent requests on one connection: their answers exceed the buffers between two programs of a machine. */
const WAITING = 120

describe('a page kept for visitors', () => {
  const { origin } = sharedService()

  it('has one nonce in its header and in all of its body, however slowly it is read', async () => {
    const { hostname, port } = new URL(origin)
    const slow = connect(Number(port), hostname)
    slow.pause()
    await once(slow, 'connect')
    const ask = `GET / HTTP/1.1\r\nhost: ${hostname}:${port}\r\naccept-encoding: identity\r\n`
    // Alternating, so that other answers would borrow a buffer that an unread answer had returned too early.
    for (let turn = 1; turn <= WAITING; turn += 1) {
      slow.write(`${ask}connection: ${turn < WAITING ? 'keep-alive' : 'close'}\r\n\r\n`)
      const answer = await fetch(origin, { headers: { 'accept-encoding': 'identity' } })
      const nonce = nonceOf(answer.headers.get('content-security-policy') ?? '')
      expect(noncesIn(await answer.text())).toEqual([nonce])
    }
    const answers = answersIn(Buffer.concat(await slow.toArray()).toString('latin1'))
    expect(answers).toHaveLength(WAITING)
    const own = answers.map(({ head }) => nonceOf(head))
    expect(new Set(own).size).toBe(WAITING)
    expect(answers.map(({ body }) => noncesIn(body))).toEqual(own.map((nonce) => [nonce]))
  })
})

function nonceOf(head: string): string | undefined {
  return /'nonce-([^']+)'/.exec(head)?.[1]
}

function noncesIn(body: string): (string | undefined)[] {
  return [...new Set([...body.matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce))]
}

/** Splits the bytes of a connection into its answers. */
function answersIn(text: string): { head: string; body: string }[] {
  const answers = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\r\n\r\n', at) + 4
    const head = text.slice(at, end)
    at = end + Number(/content-length: (\d+)/i.exec(head)?.[1])
    answers.push({ head, body: text.slice(end, at) })
  }
  return answers
}
