import styles from './price-panel.module.css'

/** The class of a screen on which one buys, with a {@link PRICE_PANEL} in it. */
export const PRICE_SCREEN = styles.screen

/** The class of the heading of such a screen. */
export const PRICE_TITLE = styles.title

/** The class of the panel that names the price and has the button to buy. On a wide screen it stays in view. */
export const PRICE_PANEL = styles.panel
