import type { Image } from '@ondine/contract/entities'

/** A sky over three hills. Code draws the scene, so that the gallery does not need pictures of the library. */
interface Scene {
  sky: [top: string, foot: string]
  sun: string
  hills: [far: string, middle: string, near: string]
}

const SCENES: Record<string, Scene> = {
  houle: { sky: ['#0b2239', '#1f5a68'], sun: '#fff1d0', hills: ['#17495c', '#0f3346', '#0a2030'] },
  ville: { sky: ['#170b33', '#4b2168'], sun: '#ff9a76', hills: ['#35175c', '#241046', '#130829'] },
  sables: { sky: ['#f0b876', '#e58a63'], sun: '#fff3da', hills: ['#c96a4e', '#8f4148', '#542a3e'] },
  apogee: { sky: ['#050509', '#1b1330'], sun: '#ff8c42', hills: ['#1c3b1f', '#12261a', '#0a1512'] },
  nord: { sky: ['#061021', '#0f5148'], sun: '#b4ffe1', hills: ['#0d3040', '#0a2130', '#071521'] },
  encre: { sky: ['#efe6d3', '#d9cbb1'], sun: '#b3202c', hills: ['#5b5a63', '#2f2f3a', '#15151d'] },
}

/**
 * The pictures of the gallery, by the names of its films. `calm` is a wide picture without a sun, for cards with text
 * on the picture.
 */
export const ART = Object.fromEntries(
  Object.entries(SCENES).map(([name, scene]) => [
    name,
    {
      wide: picture(scene, 1280, 720),
      upright: picture(scene, 720, 1080),
      calm: picture({ ...scene, sun: 'none' }, 1280, 720),
    },
  ]),
)

/** An image whose address leads to no picture, to show the error state. */
export const MISSING: Image = {
  url: 'data:image/png;base64,AAAA#',
  width: 1280,
  height: 720,
  color: '#1d2733',
}

function picture({ sky, sun, hills }: Scene, width: number, height: number): Image {
  const drawing = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<linearGradient id="a" x2="0" y2="1"><stop stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient>`,
    `<rect width="${width}" height="${height}" fill="url(#a)"/>`,
    `<circle cx="${width * 0.66}" cy="${height * 0.4}" r="${Math.min(width, height) * 0.09}" fill="${sun}"/>`,
    ...hills.map((fill, index) => `<path d="${hill(index, width, height)}" fill="${fill}"/>`),
    '</svg>',
  ]
  // `Picture` appends the requested height to the address. The `#` makes this height a fragment, which does not
  // affect the drawing.
  return {
    url: `data:image/svg+xml,${encodeURIComponent(drawing.join(''))}#`,
    width,
    height,
    color: sky[0],
  }
}

function hill(index: number, width: number, height: number): string {
  const points = Array.from({ length: 33 }, (_, step) => {
    const x = (step / 32) * width
    const y =
      height * (0.56 + index * 0.14) +
      Math.sin(step / (3.1 + index) + index * 2.4) * height * (0.03 + index * 0.012)
    return `${Math.round(x)} ${Math.round(y)}`
  })
  return `M0 ${height}L${points.join('L')}L${width} ${height}Z`
}
