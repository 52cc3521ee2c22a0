import { Feed } from "./feed.js";

new Feed("/live/jackpots");
