// What each route answers with JSON. Made by tools/gui-routes.py of
// gui/server/routes.c.

import type {
    Checked,
    Commands,
    DataAbout,
    Detail,
    Explanation,
    InputEffect,
    KernelFunction,
    Profile,
    Run,
    SamplePicture,
    Saving,
    SettingAbout,
    State,
} from "./api";
import type {
    ModelAbout,
    ModelBrief,
    RowsTold,
} from "./modelapi";

export interface Answers {
    "GET /api/proof": { proof: string };
    "GET /api/state": State;
    "GET /api/settings": { settings: SettingAbout[] };
    "POST /api/data": DataAbout;
    "POST /api/data/builtin": DataAbout;
    "GET /api/data/builtin": SamplePicture;
    "GET /api/data/:id": DataAbout;
    "DELETE /api/data/:id": { ok: boolean };
    "GET /api/data/:id/rows": { rows: string[][] };
    "POST /api/data/:id/reread": DataAbout;
    "POST /api/models": ModelBrief;
    "GET /api/models/:id": ModelAbout;
    "DELETE /api/models/:id": { ok: boolean };
    "POST /api/models/:id/rows": RowsTold;
    "GET /api/models/:id/effect/:n": InputEffect;
    "GET /api/models/:id/explanation": Explanation;
    "POST /api/check": Checked;
    "POST /api/savings": { savings: Saving[] };
    "POST /api/runs": { id: string };
    "GET /api/runs/:id": Run;
    "DELETE /api/runs/:id": { ok: boolean };
    "POST /api/runs/:id/stop": { ok: boolean };
    "POST /api/runs/:id/name": { ok: boolean };
    "POST /api/runs/:id/notes": { ok: boolean };
    "GET /api/runs/:id/point/:n": Detail;
    "GET /api/runs/:id/profile": Profile;
    "GET /api/runs/:id/about/:n": ModelAbout;
    "POST /api/runs/:id/rows/:n": RowsTold;
    "GET /api/runs/:id/function/:n/:n": KernelFunction;
    "GET /api/runs/:id/effect/:n/:n": InputEffect;
    "GET /api/runs/:id/explanation/:n": Explanation;
    "GET /api/runs/:id/commands": Commands;
}

export type Route = keyof Answers;
