import type { BundledLanguage } from '@ondine/contract/languages'

/** A picture that a profile can have, drawn in an SVG view box of 100 by 100 units. */
interface Avatar {
  id: number
  names: Record<BundledLanguage, string>
  /** Colours of the background gradient, from top to bottom. */
  ground: readonly [string, string]
  /** SVG elements drawn on the background. */
  drawing: string
}

const EYES = (left: number, right: number, y: number, size = 4) =>
  `<circle cx="${left}" cy="${y}" r="${size}" fill="#0b1016"/><circle cx="${right}" cy="${y}" r="${size}" fill="#0b1016"/>` +
  `<circle cx="${left + 1.3}" cy="${y - 1.4}" r="${size / 3}" fill="#fff"/><circle cx="${right + 1.3}" cy="${y - 1.4}" r="${size / 3}" fill="#fff"/>`
const SMILE = (x: number, y: number, width = 8) =>
  `<path d="M${x - width} ${y}q${width} ${width} ${width * 2} 0" fill="none" stroke="#0b1016" stroke-width="2.6" stroke-linecap="round"/>`

/** All avatars, with motifs of the sea. Ids are never reused. */
export const AVATARS: readonly Avatar[] = [
  {
    id: 1,
    names: { fra: 'La vague', eng: 'The wave' },
    ground: ['#0f5e73', '#8fe9d6'],
    drawing:
      '<path d="M0 70C18 34 48 22 70 38c12 9 10 24-2 25-8 1-13-6-9-12-14 2-22 18-9 31 14 13 36 8 50-4v22H0z" fill="#eafffa"/><path d="M0 84c20-12 38 8 58 4s26-12 42-6v18H0z" fill="#2aa893"/>',
  },
  {
    id: 2,
    names: { fra: 'La baleine', eng: 'The whale' },
    ground: ['#16325c', '#4f8fd8'],
    drawing: `<path d="M14 58c0-20 18-31 37-31 23 0 36 15 36 33 0 14-12 22-34 22S14 74 14 58z" fill="#dcebff"/><path d="M15 62c10 8 58 10 71 0-2 13-14 20-33 20-22 0-36-8-38-20z" fill="#9fc4f5"/><path d="M51 26c0-8-7-12-13-10m13 10c0-8 7-12 13-10" fill="none" stroke="#dcebff" stroke-width="4" stroke-linecap="round"/>${EYES(33, 68, 53)}`,
  },
  {
    id: 3,
    names: { fra: 'Le poulpe', eng: 'The octopus' },
    ground: ['#4b1b5e', '#e2679b'],
    drawing: `<path d="M50 18c20 0 31 15 31 33 0 10-3 15 3 24 3 5-5 10-9 3-2-4-5-5-7 0-2 7-11 7-12 0-1-5-11-5-12 0-1 7-10 7-12 0-2-5-5-4-7 0-4 7-12 2-9-3 6-9 3-14 3-24 0-18 11-33 31-33z" fill="#ffd3e2"/>${EYES(39, 61, 47, 5)}${SMILE(50, 58, 6)}`,
  },
  {
    id: 4,
    names: { fra: 'L’étoile', eng: 'The starfish' },
    ground: ['#7a2d1c', '#ffbe5c'],
    drawing: `<path d="M50 14c5 0 9 21 14 25s24 1 26 6-15 17-17 23 8 22 4 25-21-9-27-9-23 12-27 9 6-19 4-25S8 50 10 45s21-2 26-6 9-25 14-25z" fill="#fff0d4"/>${EYES(43, 57, 50)}${SMILE(50, 60, 6)}`,
  },
  {
    id: 5,
    names: { fra: 'Le phare', eng: 'The lighthouse' },
    ground: ['#131b3a', '#5a63b8'],
    drawing:
      '<path d="M50 30 4 18v26zM50 30l46-12v26z" fill="#ffe9a8" opacity=".85"/><path d="M42 38h16l6 50H36z" fill="#f4f6ff"/><path d="M40.500 50h19l1.500 12H39zM38 74h24l1.500 14h-27z" fill="#ff4d61"/><rect x="41" y="24" width="18" height="14" rx="2" fill="#ffbe5c"/><path d="M39 25 50 14l11 11z" fill="#ff4d61"/><path d="M0 90q25-8 50 0t50 0v10H0z" fill="#8fe9d6"/>',
  },
  {
    id: 6,
    names: { fra: 'Le crabe', eng: 'The crab' },
    ground: ['#0d4a52', '#38b0a8'],
    drawing: `<path d="M22 40c-10-2-14-12-8-20 1 7 5 8 9 6 2-4 0-8-6-10 10-3 18 6 14 16zM78 40c10-2 14-12 8-20-1 7-5 8-9 6-2-4 0-8 6-10-10-3-18 6-14 16z" fill="#ff8a5c"/><path d="m24 38 10 12m42-12L66 50M20 74l12-8m48 8-12-8M26 86l10-10m38 10L64 76" stroke="#ff8a5c" stroke-width="5" stroke-linecap="round"/><ellipse cx="50" cy="62" rx="28" ry="20" fill="#ff6a4d"/><path d="M42 44v-8m16 8v-8" stroke="#ff6a4d" stroke-width="4"/>${EYES(42, 58, 34, 5)}${SMILE(50, 64)}`,
  },
  {
    id: 7,
    names: { fra: 'La méduse', eng: 'The jellyfish' },
    ground: ['#1b1440', '#7a5cff'],
    drawing: `<path d="M34 54q-6 12 0 22t-2 14m14-36q-5 14 0 22t-1 16m13-38q6 12 0 22t2 16m10-38q5 12 0 22t2 14" fill="none" stroke="#e4dbff" stroke-width="4" stroke-linecap="round" opacity=".8"/><path d="M20 54c0-22 13-36 30-36s30 14 30 36c-5 5-9-1-15 2s-9-2-15 1-9-3-15 0-10-3-15-3z" fill="#f1ecff"/>${EYES(41, 59, 42)}${SMILE(50, 47, 4)}`,
  },
  {
    id: 8,
    names: { fra: 'Le plongeur', eng: 'The diver' },
    ground: ['#3a2a12', '#d19a4b'],
    drawing: `<path d="M26 92c0-14 8-22 24-22s24 8 24 22z" fill="#8a5a2b"/><circle cx="50" cy="46" r="30" fill="#e8b769"/><circle cx="50" cy="46" r="20" fill="#12303a" stroke="#8a5a2b" stroke-width="5"/><path d="M38 40a14 14 0 0 1 10-8" stroke="#8fe9d6" stroke-width="4" fill="none" stroke-linecap="round"/><circle cx="44" cy="48" r="3.500" fill="#eafffa"/><circle cx="57" cy="48" r="3.500" fill="#eafffa"/><path d="M45 56q5 5 10 0" stroke="#eafffa" stroke-width="2.500" fill="none" stroke-linecap="round"/><path d="M17 42h6v10h-6zM77 42h6v10h-6z" fill="#8a5a2b"/>`,
  },
  {
    id: 9,
    names: { fra: 'L’hippocampe', eng: 'The seahorse' },
    ground: ['#0c3b2e', '#a6d96a'],
    drawing:
      '<path d="M58 16c12 2 18 12 14 22-2 6-8 8-8 14 0 8 8 12 6 24-2 10-14 16-22 10-6-5-4-14 3-14 5 0 6 6 2 8 7 1 9-6 6-12-4-8-16-12-16-26 0-8 4-12 4-12l-17 3c-3 0-4-5-1-6l16-5c3-5 8-7 13-6z" fill="#fff6c9"/><path d="M66 18l8-6m-2 13 9-2m-9 12 8 3" stroke="#fff6c9" stroke-width="4" stroke-linecap="round"/><circle cx="55" cy="28" r="3.500" fill="#0b1016"/><path d="M50 52h10m-6 10h10" stroke="#a6d96a" stroke-width="3" stroke-linecap="round"/>',
  },
  {
    id: 10,
    names: { fra: 'La lune', eng: 'The moon' },
    ground: ['#080b10', '#2a3c63'],
    drawing:
      '<circle cx="54" cy="42" r="26" fill="#f6f0da"/><circle cx="46" cy="34" r="5" fill="#ddd3b0"/><circle cx="63" cy="47" r="7" fill="#ddd3b0"/><circle cx="50" cy="54" r="3.500" fill="#ddd3b0"/><circle cx="16" cy="20" r="2" fill="#fff"/><circle cx="26" cy="48" r="1.500" fill="#fff"/><circle cx="88" cy="18" r="1.500" fill="#fff"/><path d="M0 78q12-7 25 0t25 0 25 0 25 0v22H0z" fill="#8fe9d6" opacity=".9"/><path d="M0 88q12-7 25 0t25 0 25 0 25 0v12H0z" fill="#2aa893"/>',
  },
  {
    id: 11,
    names: { fra: 'Le poisson', eng: 'The fish' },
    ground: ['#0b3b66', '#46c3e8'],
    drawing:
      '<path d="M12 52c10-20 30-28 50-20 8 3 12 8 16 14 6-8 10-10 14-10-3 10-3 22 0 32-4 0-8-2-14-10-4 6-8 11-16 14-20 8-40 0-50-20z" fill="#ffbe5c"/><path d="M40 29c-5 14-5 31 0 46m16-48c-4 16-4 34 0 50" stroke="#fff7e6" stroke-width="6" fill="none"/><circle cx="26" cy="48" r="5" fill="#0b1016"/><circle cx="27.500" cy="46.500" r="1.700" fill="#fff"/><path d="M15 58q6 3 10 0" stroke="#0b1016" stroke-width="2.500" fill="none" stroke-linecap="round"/>',
  },
  {
    id: 12,
    names: { fra: 'Le voilier', eng: 'The sailing boat' },
    ground: ['#8a3b5c', '#ffb199'],
    drawing:
      '<circle cx="24" cy="28" r="12" fill="#ffe9a8"/><path d="M50 12v54H22z" fill="#fff"/><path d="M55 22v44h26z" fill="#ffe0d6"/><path d="M14 70h72l-10 16H26z" fill="#4a1730"/><path d="M0 86q12-6 25 0t25 0 25 0 25 0v14H0z" fill="#8fe9d6"/>',
  },
]

/** The picture for a profile without an avatar (A3-11). */
const DEFAULT_AVATAR: Omit<Avatar, 'id' | 'names'> = {
  ground: ['#161d28', '#2f4156'],
  drawing:
    '<circle cx="50" cy="40" r="17" fill="#b3bdc9"/><path d="M16 92c2-22 16-32 34-32s32 10 34 32z" fill="#b3bdc9"/><path d="M0 88q12-6 25 0t25 0 25 0 25 0v12H0z" fill="#8fe9d6"/>',
}

/** Returns whether an avatar exists. */
export function isAvatar(id: number): boolean {
  return AVATARS.some((avatar) => avatar.id === id)
}

/** Returns the id of an avatar's picture. */
export function avatarImageId(id: number): string {
  return `avatar-${id}`
}

/** Returns the id of the avatar with this picture; undefined if there is none. */
export function avatarOfImage(imageId: string): number | undefined {
  return AVATARS.find(({ id }) => avatarImageId(id) === imageId)?.id
}

/**
 * Returns an avatar as an SVG document, `size` pixels wide and high. Returns the default picture if `id` is null
 * or the avatar was removed.
 */
export function drawAvatar(id: number | null, size: number): string {
  const { ground, drawing } = AVATARS.find((avatar) => avatar.id === id) ?? DEFAULT_AVATAR
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 100 100"><defs><linearGradient id="g" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${ground[0]}"/><stop offset="1" stop-color="${ground[1]}"/></linearGradient></defs><rect width="100" height="100" fill="url(#g)"/>${drawing}</svg>`
}
