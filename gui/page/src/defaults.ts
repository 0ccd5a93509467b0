// What a table is asked for before anybody has said anything: its target. All else is the library's
// default, as in the command.

import type { Asked, DataAbout, Settings } from "./api";

/** A CSV file says nothing of what is to be predicted. */
export function isGuess(data: DataAbout): boolean {
    return data.format === "CSV" && !data.sample;
}

/** What the file says; else the server's guess. */
function firstTarget(data: DataAbout): string[] {
    if (data.targets?.length && !isGuess(data)) return data.targets;
    return data.target ? [data.target] : [];
}

export function defaults(data: DataAbout, wants: Settings = {}): Asked {
    return {
        data: data.id,
        test_data: null,
        validation_data: null,
        settings: { target: firstTarget(data), ...wants },
    };
}
