import { BlockList, isIP } from 'node:net'

/** A network of IP addresses. */
export interface Network {
  address: string
  bits: number
  family: 'ipv4' | 'ipv6'
}

/** Parses `address/bits` or a single address. Returns undefined for an invalid text. */
export function parseNetwork(written: string): Network | undefined {
  const [address = '', bits, ...more] = written.trim().split('/')
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  if (version === 0 || address.includes('%') || more.length > 0) return undefined
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return undefined
  const count = bits === undefined ? most : Number(bits)
  return count > most ? undefined : { address, bits: count, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** Finds the owner of the smallest network that contains an address. */
export class NetworkTable<Owner> {
  readonly #rows: { list: BlockList; bits: number; family: Network['family']; owner: Owner }[]

  constructor(entries: readonly { network: Network; owner: Owner }[]) {
    this.#rows = entries
      .map(({ network, owner }) => {
        const list = new BlockList()
        list.addSubnet(network.address, network.bits, network.family)
        return { list, bits: network.bits, family: network.family, owner }
      })
      .sort((a, b) => b.bits - a.bits)
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0
  }

  ownerOf(address: string): Owner | undefined {
    // A dual-stack socket reports IPv4 addresses as IPv4-mapped IPv6 addresses.
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    const version = isIP(plain)
    if (version === 0) return undefined
    const family = version === 4 ? 'ipv4' : 'ipv6'
    return this.#rows.find((row) => row.family === family && row.list.check(plain, family))?.owner
  }
}
